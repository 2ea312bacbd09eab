// Messages of the wire, as a stranger may send them: nothing is believed beyond its limits, and
// what is accepted survives being written and read again.
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <variant>

#include "rpc/inside/convert.h"

namespace {

using namespace tacho;

void TryUp(const void* bytes, int size) {
  v1::Up up;
  if (!up.ParseFromArray(bytes, size)) return;
  const auto message = FromWire(std::as_const(up));
  if (!message.ok()) return;
  const v1::Up again = std::visit([](const auto& one) { return ToWire(one); }, *message);
  if (!FromWire(again).ok()) std::abort();
}

void TryDown(const void* bytes, int size) {
  v1::Down down;
  if (!down.ParseFromArray(bytes, size)) return;
  const auto message = FromWire(std::as_const(down));
  if (!message.ok() || !message->has_value()) return;
  const v1::Down again = ToWire(**message);
  if (!FromWire(again).ok()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  TryUp(data, static_cast<int>(size));
  TryDown(data, static_cast<int>(size));
  return 0;
}
