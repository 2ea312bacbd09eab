// The last minutes at full rate, in memory that outlives the process but not a power cut.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "common/ids.h"
#include "common/status.h"
#include "daemon/recorder/flight_frame.h"

namespace tacho {

struct FlightConfig {
  std::filesystem::path file = "/run/tacho/flight-board.ring";  // empty: memory of the process only
  std::int64_t bytes = 4 << 20;
  bool operator==(const FlightConfig&) const = default;
};

// Loop thread. A mapped file of fixed size, written without a system call, by one process only. The
// oldest frames make room; a frame that can never fit is counted and dropped.
class FlightRing {
 public:
  // Goes on with the file if it is of this boot and size, else begins it anew. Where no file can be
  // had, the ring is memory of the process alone, and `why` says so in a sentence.
  static std::unique_ptr<FlightRing> Open(const FlightConfig& config, BootId boot, Status& why);
  ~FlightRing();
  FlightRing(const FlightRing&) = delete;
  FlightRing& operator=(const FlightRing&) = delete;

  void Write(const Row& row, DictionaryHash dictionary);

  // Leaves word that the recorder was alive at `now`.
  void Beat(BootTime now);
  // The last Beat before this ring was opened; zero if there was none in this boot.
  BootTime last_alive_before() const { return last_alive_before_; }

  // From the oldest frame held to the newest.
  Nanos held() const;
  std::int64_t bytes() const { return static_cast<std::int64_t>(memory_.size()); }
  std::uint64_t dropped() const { return dropped_; }
  std::span<const std::byte> memory() const { return memory_; }

 private:
  FlightRing(std::span<std::byte> memory, int file) : memory_(memory), file_(file) {}

  void Begin(BootId boot);
  bool Resume(BootId boot);
  std::span<std::byte> ring() const { return memory_.subspan(FlightHeader::kBytes); }
  void MakeRoom(std::uint64_t up_to);
  void StoreField(std::size_t at, std::uint64_t value);

  const std::span<std::byte> memory_;
  const int file_;  // its lock is ours; -1: memory of the process only
  FlightHeader header_;
  BootTime last_alive_before_;
  BootTime newest_;
  std::uint64_t dropped_ = 0;
  Bytes scratch_;
};

}  // namespace tacho
