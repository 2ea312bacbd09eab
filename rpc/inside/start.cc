#include "rpc/inside/start.h"

#include <mutex>
#include <string_view>

#include <grpc/support/log.h>

#include "common/log.h"

namespace tacho {

namespace {

void ToOurLog(gpr_log_func_args* args) {
  Log(LogLevel::kDebug, args->message);
}

}  // namespace

void StartRpc() {
  static std::once_flag once;
  std::call_once(once, [] { gpr_set_log_function(ToOurLog); });
}

}  // namespace tacho
