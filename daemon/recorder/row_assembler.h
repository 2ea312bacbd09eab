// Puts the readings of a ring back together into rows.
#pragma once

#include <map>
#include <optional>

#include "daemon/recorder/reading.h"
#include "daemon/recorder/row.h"

namespace tacho {

// Loop thread; one for each ring. A row ends with its mark; if the mark was dropped, with the first
// reading of another sweep of its group.
class RowAssembler {
 public:
  // Calls `take(const Row&)` for each row that `reading` completes. The row is reused afterwards.
  template <class Take>
  void Add(const Reading& reading, Take&& take) {
    Row& row = rows_[reading.group];
    if (!row.cells.empty() && row.at != reading.at) Finish(row, take);
    row.group = reading.group;
    row.at = reading.at;
    if (reading.channel == kEndOfRow) {
      if (!row.cells.empty()) Finish(row, take);
      return;
    }
    if (reading.channel == kNoChannel) return;
    row.cells.push_back({.channel = reading.channel, .value = reading.value, .why = reading.why});
  }

  // Ends every row that was begun: its writer will not come back.
  template <class Take>
  void Close(Take&& take) {
    for (auto& [group, row] : rows_) {
      if (!row.cells.empty()) Finish(row, take);
    }
  }

 private:
  template <class Take>
  static void Finish(Row& row, Take& take) {
    take(static_cast<const Row&>(row));
    row.cells.clear();
  }

  std::map<GroupId, Row> rows_;
};

}  // namespace tacho
