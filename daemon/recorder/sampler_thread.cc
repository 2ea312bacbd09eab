// The loop of a sampling thread.
#include "daemon/recorder/sampler_thread.h"

#include "daemon/recorder/deadlines.h"

namespace tacho {

SamplerThread::SamplerThread(const Clock& clock, std::span<const std::unique_ptr<SourceSlot>> slots,
                             Nanos period, std::size_t ring_capacity)
    : clock_(clock), period_(period), ring_(ring_capacity), sampler_(slots, ring_) {}

SamplerThread::~SamplerThread() {
  Stop();
  if (thread_.joinable()) thread_.join();
}

void SamplerThread::Start() {
  thread_ = std::thread([this] { Run(); });
}

void SamplerThread::Run() {
  Deadlines deadlines(clock_.Boot(), period_);
  while (alarm_.WaitUntil(deadlines.next())) {
    const BootTime at = clock_.Boot();
    missed_.fetch_add(deadlines.Pass(at), std::memory_order_relaxed);
    if (!sampler_.Sweep(at)) break;
    duration_.store((clock_.Boot() - at).count(), std::memory_order_relaxed);
    sweeps_.fetch_add(1, std::memory_order_relaxed);
  }
  has_ended_.store(true, std::memory_order_release);
}

}  // namespace tacho
