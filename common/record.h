// One record of a stream, and the payloads of the event tier (docs/formats/records.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/ids.h"
#include "common/status.h"
#include "common/time.h"

namespace tacho {

enum class RecordKind : std::uint8_t {
  kDictionary = 1,
  kBoot = 2,
  kClock = 3,
  kRun = 4,
  kEvent = 5,
  kGap = 6,
  kSummary = 7,  // encoded blocks (common/codec/block.h)
};

// What travels from the spool to the server. In the spool `seqs.count` is 1; a batch on the wire
// may hold consecutive summaries of one dictionary.
struct Record {
  StreamKey stream;
  SeqRange seqs;
  RecordKind kind{};
  DictionaryHash dictionary{};  // of kSummary and kRun; 0 otherwise
  std::vector<std::byte> payload;
};

// First record of every boot and epoch.
struct BootReport {
  std::uint64_t boot_counter = 0;  // 0 where no disk can be written
  std::string agent;               // "tachod 0.1.0"
  BootTime recorder_started;
  bool previous_ended_clean = true;
  std::string previous_end;  // what is known of how the recorder stopped before; empty if nothing
  bool operator==(const BootReport&) const = default;
};

// Every instant of a boot belongs to exactly one run: "idle" wherever no other is open.
struct RunChange {
  enum class What : std::uint8_t { kOpened = 0, kClosed = 1 };
  What what{};
  std::uint32_t number = 0;  // counts from 1 within the boot
  std::string name;          // "idle" or what the user said
  BootTime at;
  std::string reason;  // of kClosed: "command", "stop", "next run", "unclean end"
  std::vector<std::pair<std::string, std::string>> labels;
  bool operator==(const RunChange&) const = default;
};

enum class Severity : std::uint8_t { kInfo = 0, kWarning = 1, kError = 2 };

// Something that happened.
struct Event {
  BootTime at;
  Severity severity{};
  std::string kind;  // "clock_stepped", "sensor_lost", "throttle", "recorder_down"
  std::string detail;
  bool operator==(const Event&) const = default;
};

// Says that `seqs` of `stream` will never arrive, and why.
struct Gap {
  StreamKey stream;
  SeqRange seqs;
  std::string reason;  // "evicted", "ram_full", "damaged"
  bool operator==(const Gap&) const = default;
};

// Longer texts and further labels are cut by Encode and refused by Decode.
inline constexpr std::size_t kMostRecordText = 4096;
inline constexpr std::size_t kMostRunLabels = 64;

std::vector<std::byte> Encode(const BootReport& report);
std::vector<std::byte> Encode(const ClockPair& pair);
std::vector<std::byte> Encode(const RunChange& change);
std::vector<std::byte> Encode(const Event& event);
std::vector<std::byte> Encode(const Gap& gap);
// Bytes after the known fields are ignored: a newer writer may append fields.
Result<BootReport> DecodeBootReport(std::span<const std::byte> bytes);
Result<ClockPair> DecodeClockPair(std::span<const std::byte> bytes);
Result<RunChange> DecodeRunChange(std::span<const std::byte> bytes);
Result<Event> DecodeEvent(std::span<const std::byte> bytes);
Result<Gap> DecodeGap(std::span<const std::byte> bytes);

}  // namespace tacho
