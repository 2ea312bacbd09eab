// Keeps the robot's setup up to date: what makes two runs comparable.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "collector/source.h"
#include "common/record.h"
#include "daemon/recorder/channels.h"

namespace tacho {

// Loop thread.
class SetupKeeper {
 public:
  using Setup = std::map<std::string, std::string>;

  // `channels` outlives the keeper. `own` is what the recorder knows by itself, such as "agent".
  SetupKeeper(SystemRoot root, Channels& channels, Setup own);

  // What the owner says in the configuration; it wins over what the board says.
  void SetLabels(Setup labels);
  // Looks at the board, at most each kEvery. Gives an event for each entry of the board that
  // changed while the recorder ran: the power mode, mostly.
  std::vector<Event> Look(BootTime now);

  static constexpr Nanos kEvery = std::chrono::seconds(30);

 private:
  void Publish();

  const SystemRoot root_;
  Channels& channels_;
  const Setup own_;
  Setup labels_;
  Setup board_;
  std::optional<BootTime> looked_at_;
};

}  // namespace tacho
