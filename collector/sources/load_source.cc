// The load averages of /proc/loadavg: how many threads want a CPU.
#include <array>
#include <optional>

#include "collector/kernel_file.h"
#include "collector/parse/proc_loadavg.h"
#include "collector/source.h"

namespace tacho {
namespace {

constexpr MetricDef kLoadAverage{
    "load_average", Unit::kNone, 2, Shape::kGauge,
    "How many threads ran or waited for a CPU or a disk, over the last minutes."};
constexpr std::array kMetrics{kLoadAverage};

class LoadSource final : public Source {
 public:
  LoadSource(KernelFile loadavg, std::array<ChannelId, 3> channels)
      : loadavg_(std::move(loadavg)), channels_(channels) {}

  Status Sample(Sink& sink) override {
    std::array<char, 128> buffer;
    const FileText text = loadavg_.Read(buffer);
    const auto loads = ParseLoadAverages(text.text);
    const Why why = text.why == Why::kPresent ? Why::kUnparsable : text.why;
    for (std::size_t i = 0; i < channels_.size(); ++i) {
      loads ? sink.Put(channels_[i], (*loads)[i]) : sink.Absent(channels_[i], why);
    }
    return {};
  }

 private:
  KernelFile loadavg_;
  std::array<ChannelId, 3> channels_;
};

Result<std::unique_ptr<Source>> Open(const SystemRoot& root, ChannelBook& book) {
  auto file = KernelFile::Open(root.Of("proc/loadavg"));
  if (!file) return Status(Code::kNotFound, "there is no /proc/loadavg");
  const std::array channels{book.Add(kLoadAverage, "1m"), book.Add(kLoadAverage, "5m"),
                            book.Add(kLoadAverage, "15m")};
  return std::unique_ptr<Source>(std::make_unique<LoadSource>(*std::move(file), channels));
}

}  // namespace

extern constinit const SourceKind kLoadSource{"load", kMetrics, &Open};

}  // namespace tacho
