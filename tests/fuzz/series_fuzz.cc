// Any text is refused as a file of series, or gives series that can be judged, twice the same.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "server/detect/history.h"
#include "server/detect/series_file.h"

using tacho::detect::DetectHistory;
using tacho::detect::History;

namespace {

// Not operator==: what does not exist is NaN, and that differs from itself.
bool AgreeOn(const History& a, const History& b) {
  return a.nights == b.nights && a.segments == b.segments && FirstIndices(a) == FirstIndices(b) &&
         a.blips.size() == b.blips.size() && a.drifts.size() == b.drifts.size();
}

void Judge(const tacho::Result<tacho::detect::SeriesFile>& file) {
  if (!file.ok()) return;
  for (const tacho::detect::NamedSeries& series : file->series) {
    const History history = DetectHistory(series.values);
    if (history.nights + history.missing != series.values.size()) std::abort();
    for (const std::size_t first : FirstIndices(history)) {
      if (first >= series.values.size()) std::abort();
    }
    if (!AgreeOn(history, DetectHistory(series.values))) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data),
                              std::min<std::size_t>(size, 4096));
  Judge(tacho::detect::ParseSeriesCsv(text));
  Judge(tacho::detect::ParseSeriesJson(text));
  return 0;
}
