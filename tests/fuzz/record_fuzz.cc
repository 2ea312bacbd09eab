// Any bytes are refused as a record's payload, or decode to one that survives being written again.
#include <cstdint>
#include <cstdlib>

#include "common/dictionary.h"
#include "common/histogram.h"
#include "common/record.h"

namespace {

template <class Decode>
void Check(std::span<const std::byte> bytes, Decode decode) {
  const auto value = decode(bytes);
  if (!value.ok()) return;
  const auto again = decode(tacho::Encode(*value));
  if (!again.ok() || !(*again == *value)) std::abort();
}

void CheckHistogram(std::span<const std::byte> bytes) {
  const auto histogram = tacho::Histogram::Decode(bytes);
  if (!histogram.ok()) return;
  const auto again = tacho::Histogram::Decode(histogram->Encode());
  if (!again.ok() || !(*again == *histogram)) std::abort();
  if (histogram->count() > 0 && histogram->Quantile(0.5) < histogram->min()) std::abort();
}

}  // namespace

// The first byte says which payload the rest is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto bytes = std::as_bytes(std::span(data, size)).subspan(1);
  switch (data[0] % 7) {
    case 0:
      Check(bytes, [](auto input) { return tacho::DecodeDictionary(input); });
      break;
    case 1:
      Check(bytes, tacho::DecodeBootReport);
      break;
    case 2:
      Check(bytes, tacho::DecodeClockPair);
      break;
    case 3:
      Check(bytes, tacho::DecodeRunChange);
      break;
    case 4:
      Check(bytes, tacho::DecodeEvent);
      break;
    case 5:
      Check(bytes, tacho::DecodeGap);
      break;
    default:
      CheckHistogram(bytes);
  }
  return 0;
}
