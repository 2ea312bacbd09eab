#include "server/judge/histogram_buffer.h"

namespace tacho {

void HistogramBuffer::MoveOut(Slot& slot) {
  histogram_.AddToBucket(slot.bucket, slot.count, low_, high_);
  slot = {};
}

void HistogramBuffer::Flush() {
  for (Slot& slot : slots_)
    MoveOut(slot);
}

}  // namespace tacho
