// Any text is refused as JSON, or gives a value that is the same after printing and reading again.
#include <cstdint>
#include <cstdlib>

#include "common/json.h"

using tacho::Json;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto json = Json::Parse({reinterpret_cast<const char*>(data), size});
  if (!json.ok()) return 0;
  for (const int indent : {-1, 2}) {
    const auto again = Json::Parse(json->Dump(indent));
    if (!again.ok() || *again != *json) std::abort();
  }
  return 0;
}
