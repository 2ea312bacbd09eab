// The findings of `tacho detect` as rows of a table.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "cli/page.h"
#include "server/detect/history.h"

namespace tacho {

// A series with fewer values is not judged: history.h wants two shortest segments.
inline constexpr std::size_t kFewestValues = 2 * detect::HistoryOptions{}.shortest_segment;

const std::vector<TableColumn>& FindingColumns();

// "3 values, at least 6 are needed"
std::string TooShortText(std::size_t values);

// A row a finding, in order of index; one row TOO_SHORT where the series was not judged. `q` is its
// p adjusted for the number of series; `rows` names the rows of the file, or is empty.
void AddFindings(const std::string& name, const detect::History& history, double q,
                 std::span<const std::string> rows, Table& table);

}  // namespace tacho
