// The runs of this boot: every instant belongs to exactly one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/record.h"

namespace tacho {

using Labels = std::vector<std::pair<std::string, std::string>>;

struct OpenRun {
  std::uint32_t number = 0;  // 0: none was ever open
  std::string name;
  BootTime at;
  Labels labels;
  bool operator==(const OpenRun&) const = default;
};

// Loop thread. Pure: each call gives the changes to be recorded, in order.
class Runs {
 public:
  static constexpr const char* kIdle = "idle";

  // The recorder starts. `left` is the run that an earlier recorder of this boot had open last, and
  // `was_closed` whether it closed it itself. A run that was not closed ends "unclean end" at
  // `last_alive`; if it was a named one, it goes on under a new number, labelled "continues".
  std::vector<RunChange> Begin(const std::optional<OpenRun>& left, bool was_closed,
                               BootTime last_alive, BootTime now);
  std::vector<RunChange> Start(const std::string& name, Labels labels, BootTime now);
  // Requires: is_named().
  std::vector<RunChange> Stop(BootTime now);
  // The recorder stops.
  std::vector<RunChange> End(BootTime now);

  const OpenRun& open() const { return open_; }
  bool is_named() const { return open_.name != kIdle; }

 private:
  RunChange Close(const char* reason, BootTime at) const;
  RunChange Open(const std::string& name, Labels labels, BootTime at);

  OpenRun open_;
};

}  // namespace tacho
