// What goes into the store and comes out of it, without a word of SQL.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/dictionary.h"
#include "common/ids.h"
#include "common/record.h"
#include "common/time.h"

namespace tacho {

struct BootKey {
  std::string robot;
  BootId boot;
  auto operator<=>(const BootKey&) const = default;
};

struct StreamId {
  std::string robot;
  StreamKey key;
  auto operator<=>(const StreamId&) const = default;
  BootKey boot() const { return {robot, key.boot}; }
};

struct RunKey {
  BootKey boot;
  std::uint32_t number = 0;
  auto operator<=>(const RunKey&) const = default;
};

// What a payload of blocks turned out to hold when it was checked.
struct SummaryFacts {
  BootTime first;  // smallest and largest row time
  BootTime last;
  std::uint64_t rows = 0;  // of its largest group
};
struct DictionaryFacts {
  DictionaryHash hash{};
};

// Of a kind that this version does not know.
struct UnknownFacts {};

using Meaning = std::variant<UnknownFacts, DictionaryFacts, BootReport, ClockPair, RunChange, Event,
                             Gap, SummaryFacts>;

// A checked record on its way into the store.
struct Arrival {
  std::string robot;
  Record record;
  Meaning meaning;
  WallTime received;
  StreamId stream() const { return {robot, record.stream}; }
};

// What became of an arrival.
struct Outcome {
  enum class What : std::uint8_t { kStored, kAlreadyThere, kRefused };
  What what{};
  Status why;  // of kRefused
};

struct Greeting {
  std::string robot;
  BootId boot;
  std::uint64_t boot_counter = 0;
  std::string agent;
  BootTime boot_time;
  WallTime received;
};

// Who put a robot on the roster.
enum class RosterBy : std::uint8_t { kNobody, kFile, kCommand };

// A robot's place on the roster, as the configuration or a person says.
struct RosterEntry {
  std::string robot;
  bool is_expected = true;
  bool is_retired = false;
  std::map<std::string, std::string> labels;
  RosterBy by = RosterBy::kFile;
};

// A change that a person made.
struct AuditRow {
  WallTime at;
  std::string who;  // the certificate's name; empty on a plain connection
  std::string what;
};

struct RobotRow {
  std::string robot;
  WallTime added;
  bool is_expected = false;
  bool is_retired = false;
  std::map<std::string, std::string> labels;
  std::optional<WallTime> last_contact;
  std::string agent;
  std::optional<BootId> current_boot;
  std::optional<WallTime> quarantined_until;
  std::optional<WallTime> silent_since;
  RosterBy roster_by = RosterBy::kNobody;
};

struct RobotEvent {
  std::string robot;
  WallTime at;
  Severity severity{};
  std::string kind;
  std::string detail;
};

// Which events of a robot or boot are wanted, newest first.
struct EventFilter {
  Severity least = Severity::kInfo;
  std::size_t limit = 1000;
};

// A Goodbye: the sender of a boot stopped, and said why.
struct LastWord {
  std::string reason;
  WallTime at;
};

struct BootRow {
  BootKey key;
  std::uint64_t counter = 0;
  std::string agent;
  WallTime first_receipt;
  std::optional<BootTime> first_seen;  // of rows
  std::optional<BootTime> last_seen;   // of rows and events
  std::optional<LastWord> last_word;   // the newest
};

// What the robot said of a run: ends that no record brought are absent.
struct RunRow {
  RunKey key;
  std::string name;
  std::optional<BootTime> opened;
  std::optional<BootTime> closed;
  std::string close_reason;
  DictionaryHash dictionary{};
  std::map<std::string, std::string> labels;
  WallTime received;
};

struct EventRow {
  Event event;
  Epoch epoch{};
  Seq seq{};
};

struct GapRow {
  Epoch epoch{};
  Tier tier{};
  SeqRange seqs;
  std::string reason;
};

// The smallest and largest row time of what is asked about.
struct SeenRange {
  BootTime first;
  BootTime last;
};

struct RecordCounts {
  std::uint64_t stored = 0;
  std::uint64_t gaps = 0;
  // Below a stream's newest seq, and neither of both: on its way for a moment, else lost untold.
  std::uint64_t missing = 0;
  std::uint64_t lost() const { return gaps + missing; }
};

// One stored payload of blocks: a batch as it came, or a chunk.
struct StoredPiece {
  StreamKey stream;
  SeqRange seqs;
  DictionaryHash dictionary{};
  BootTime first;
  BootTime last;
};

struct PieceFilter {
  BootKey boot;
  Tier tier = Tier::kSummaries;
  BootTime from;  // rows in [from, to)
  BootTime to;
};

struct VerdictRow {
  std::string fingerprint;
  std::string verdict;
  double coverage = 0;
};

}  // namespace tacho
