// How each source and feed fares: one word, and a sentence where something is wrong.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/record.h"
#include "common/time.h"

namespace tacho {

enum class SourceWord : std::uint8_t {
  kOk,
  kSilent,   // no row for longer than three periods
  kEnded,    // the log that it read came to its end
  kFailing,  // it ends again and again, prints nonsense, or none of its channels can be read
  kParked,   // a read of it does not return
  kAbsent,   // this board has no such thing
  kOff,      // switched off in the configuration
};

// "ok", "silent", ...: docs/formats/local.md.
std::string_view NameOf(SourceWord word);

struct SourceHealth {
  std::string name;
  SourceWord state = SourceWord::kOk;
  std::uint64_t channels = 0;
  std::string detail{};
  bool is_feed = false;
};

// Loop thread. Makes an event of each change for the worse, and one of the return once it has
// lasted; a source that comes and goes within kSettled is one loss.
class HealthWatch {
 public:
  static constexpr Nanos kSettled = std::chrono::seconds(10);

  std::vector<Event> Look(std::span<const SourceHealth> all, BootTime now);

 private:
  struct Told {
    SourceWord word = SourceWord::kOk;
    BootTime last_bad;
  };
  std::map<std::string, Told> told_;  // by name: bounded by the sources there are
};

}  // namespace tacho
