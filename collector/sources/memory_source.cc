// Memory and swap, from /proc/meminfo.
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "collector/kernel_file.h"
#include "collector/metrics.h"
#include "collector/parse/proc_keys.h"
#include "collector/source.h"

namespace tacho {
namespace {

constexpr std::array kMetrics{
    metrics::kMemoryUsed, metrics::kMemoryTotal, metrics::kMemoryAvailable, metrics::kCmaFree,
    metrics::kSwapUsed,   metrics::kSwapTotal,   metrics::kSwapCached};

// A metric is the value of its first key less that of the others.
struct Rule {
  const MetricDef* metric;
  std::array<std::string_view, 4> keys;
};
constexpr std::array kRules{
    // As tegrastats counts it, so that both are one quantity.
    Rule{&metrics::kMemoryUsed, {"MemTotal", "MemFree", "Buffers", "Cached"}},
    Rule{&metrics::kMemoryTotal, {"MemTotal"}},
    Rule{&metrics::kMemoryAvailable, {"MemAvailable"}},
    Rule{&metrics::kCmaFree, {"CmaFree"}},
    Rule{&metrics::kSwapUsed, {"SwapTotal", "SwapFree"}},
    Rule{&metrics::kSwapTotal, {"SwapTotal"}},
    Rule{&metrics::kSwapCached, {"SwapCached"}},
};

std::optional<std::int64_t> Apply(const Rule& rule, std::string_view meminfo) {
  auto value = ValueOfKey(meminfo, rule.keys[0]);
  for (std::size_t i = 1; value && i < rule.keys.size() && !rule.keys[i].empty(); ++i) {
    const auto less = ValueOfKey(meminfo, rule.keys[i]);
    value = less ? std::optional(*value - *less) : std::nullopt;
  }
  return value;
}

struct Amount {
  ChannelId channel;
  const Rule* rule;
};

class MemorySource final : public Source {
 public:
  MemorySource(KernelFile meminfo, std::vector<Amount> amounts)
      : meminfo_(std::move(meminfo)), amounts_(std::move(amounts)) {}

  Status Sample(Sink& sink) override {
    const FileText meminfo = meminfo_.Read(buffer_);
    for (const Amount& amount : amounts_) {
      if (meminfo.why != Why::kPresent) {
        sink.Absent(amount.channel, meminfo.why);
      } else if (const auto bytes = Apply(*amount.rule, meminfo.text)) {
        sink.Put(amount.channel, *bytes);
      } else {
        sink.Absent(amount.channel, Why::kUnparsable);
      }
    }
    return {};
  }

 private:
  KernelFile meminfo_;
  std::vector<Amount> amounts_;
  std::array<char, 4096> buffer_;
};

Result<std::unique_ptr<Source>> Open(const SystemRoot& root, ChannelBook& book) {
  auto file = KernelFile::Open(root.Of("proc/meminfo"));
  if (!file) return Status(Code::kNotFound, "there is no /proc/meminfo");
  std::array<char, 4096> buffer;
  const FileText meminfo = file->Read(buffer);
  std::vector<Amount> amounts;
  for (const Rule& rule : kRules) {
    // A kernel without swap or contiguous memory has no such lines, and the board no such channels.
    if (Apply(rule, meminfo.text)) amounts.push_back({book.Add(*rule.metric, ""), &rule});
  }
  if (amounts.empty()) return Status(Code::kNotFound, "/proc/meminfo has none of the known lines");
  return std::unique_ptr<Source>(
      std::make_unique<MemorySource>(*std::move(file), std::move(amounts)));
}

}  // namespace

extern constinit const SourceKind kMemorySource{"memory", kMetrics, &Open};

}  // namespace tacho
