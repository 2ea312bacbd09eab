// Points in time as people type them: "2h", "yesterday", "2026-11-28T10:00Z".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/arguments.h"
#include "common/json.h"
#include "common/status.h"
#include "common/time.h"

namespace tacho {

// "45s" "90m" "2h" "3d" before now; "now", "today", "yesterday", "2026-11-28" (a day is its first
// instant); "2026-11-28T10:00[:05[.25]]" or with a blank for the T, and a zone: "Z" or "+02:00".
// Without a zone it is UTC. Fails with kInvalid.
Result<WallTime> ParseWhen(std::string_view text, WallTime now);

inline constexpr OptionDef kSinceOption = {
    .name = "since",
    .placeholder = "WHEN",
    .help = "from then on: 2h, 3d, yesterday, 2026-11-28, 2026-11-28T10:00Z"};
inline constexpr OptionDef kUntilOption = {
    .name = "until", .placeholder = "WHEN", .help = "before then; the same forms"};

// --since and --until.
struct Window {
  std::optional<WallTime> since;
  std::optional<WallTime> until;

  // Sets since_wall_ns and until_wall_ns where they are known.
  void AddTo(Json& question) const;
  // "since 2026-11-28 08:00:00 UTC"; "of all time".
  std::string Describe() const;
};
Result<Window> ParseWindow(const CommandArguments& arguments, WallTime now);

}  // namespace tacho
