// What the recorder itself costs: CPU time, memory and wake-ups of the process this code runs in.
#include <array>
#include <sys/resource.h>
#include <unistd.h>

#include "collector/attribute.h"
#include "collector/metrics.h"
#include "collector/parse/proc_statm.h"
#include "collector/source.h"

namespace tacho {
namespace {

constexpr std::array kMetrics{metrics::kSelfCpuTime, metrics::kSelfMemory,
                              metrics::kSelfVoluntarySwitches, metrics::kSelfInvoluntarySwitches};

constexpr std::int64_t kMicrosPerSecond = 1'000'000;

std::int64_t Micros(const timeval& time) {
  return std::int64_t{time.tv_sec} * kMicrosPerSecond + time.tv_usec;
}

struct Channels {
  ChannelId cpu_time;
  ChannelId memory;
  ChannelId voluntary;
  ChannelId involuntary;
};

class SelfSource final : public Source {
 public:
  SelfSource(KernelFile statm, Channels channels)
      : statm_(std::move(statm)), channels_(channels), page_bytes_(::sysconf(_SC_PAGESIZE)) {}

  Status Sample(Sink& sink) override {
    // Of all threads; /proc/self/status has the switches of the first one only.
    rusage usage{};
    if (::getrusage(RUSAGE_SELF, &usage) != 0) {
      return Status(Code::kInternal, "getrusage refused to tell of this process");
    }
    sink.Put(channels_.cpu_time, Micros(usage.ru_utime) + Micros(usage.ru_stime));
    sink.Put(channels_.voluntary, usage.ru_nvcsw);
    sink.Put(channels_.involuntary, usage.ru_nivcsw);
    Deliver(channels_.memory, ReadMemory(), sink);
    return {};
  }

 private:
  AttributeReading ReadMemory() const {
    std::array<char, 128> buffer;
    const FileText statm = statm_.Read(buffer);
    if (statm.why != Why::kPresent) return {.why = statm.why};
    const auto pages = ResidentPages(statm.text);
    return pages ? AttributeReading{.value = *pages * page_bytes_}
                 : AttributeReading{.why = Why::kUnparsable};
  }

  KernelFile statm_;
  Channels channels_;
  std::int64_t page_bytes_;
};

// This process is where it is, whatever folder stands for the board's root.
Result<std::unique_ptr<Source>> Open(const SystemRoot& /*root*/, ChannelBook& book) {
  auto statm = KernelFile::Open("/proc/self/statm");
  if (!statm) return Status(Code::kNotFound, "there is no /proc/self/statm");
  const Channels channels{.cpu_time = book.Add(metrics::kSelfCpuTime, ""),
                          .memory = book.Add(metrics::kSelfMemory, ""),
                          .voluntary = book.Add(metrics::kSelfVoluntarySwitches, ""),
                          .involuntary = book.Add(metrics::kSelfInvoluntarySwitches, "")};
  return std::unique_ptr<Source>(std::make_unique<SelfSource>(*std::move(statm), channels));
}

}  // namespace

extern constinit const SourceKind kSelfSource{"self", kMetrics, &Open};

}  // namespace tacho
