// Series from a file: {"name": [values]} in JSON, or a CSV with one series a column.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"

namespace tacho::detect {

struct NamedSeries {
  std::string name;
  std::vector<double> values;  // NaN: missing
  bool operator==(const NamedSeries&) const = default;
};

struct SeriesFile {
  std::vector<NamedSeries> series;
  std::vector<std::string> rows;  // names or times of the rows of a CSV; empty for JSON
};

inline constexpr std::size_t kMostFileBytes = 256u << 20;
inline constexpr std::size_t kMostSeries = 10'000;

// Both fail with kInvalid and a sentence that begins with the line where that is known. A name may
// not come twice.
//
// CSV: a header; the first column is the name or time of the row, the others are series; an empty
// cell or "nan" is a missing value. Quoted fields, CRLF and a byte-order mark are understood.
Result<SeriesFile> ParseSeriesCsv(std::string_view text);
// JSON: an object of arrays; null is a missing value.
Result<SeriesFile> ParseSeriesJson(std::string_view text);

}  // namespace tacho::detect
