// Maps the ring, makes room in it and goes on where an earlier recorder stopped.
#include "daemon/recorder/flight_ring.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

namespace tacho {
namespace {

constexpr std::size_t kLeastBytes = 64 << 10;

std::size_t SizeOf(const FlightConfig& config) {
  const auto bytes =
      std::max(static_cast<std::size_t>(std::max<std::int64_t>(config.bytes, 0)), kLeastBytes);
  return bytes / kFlightAlignment * kFlightAlignment;
}

// What a ring lives in.
struct Mapping {
  void* memory = nullptr;
  int file = -1;  // open as long as the ring lives: with it goes its lock
};

// Sizes, claims and maps the file. The blocks are taken here, since a full /run would otherwise
// kill the process at a later write. Gives the step that failed, with errno, or nullptr.
const char* MapOpened(int file, std::size_t size, void*& memory) {
  // Two writers of one ring would tear each other's frames.
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) return "claiming";
  if (::ftruncate(file, static_cast<off_t>(size)) != 0) return "sizing";
  errno = ::posix_fallocate(file, 0, static_cast<off_t>(size));
  if (errno != 0) return "sizing";
  memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return memory == MAP_FAILED ? "mapping" : nullptr;
}

// The file's bytes, shared; no memory if any step of the way fails.
Mapping MapFile(const FlightConfig& config, std::size_t size, Status& why) {
  const auto failed = [&](const std::string& step, int error) {
    const bool is_held = error == EWOULDBLOCK && step == "claiming";
    why =
        Status(Code::kUnavailable,
               "the flight ring lives in memory only, since " + step + " " + config.file.string() +
                   " failed: " + (is_held ? "another recorder writes it" : std::strerror(error)));
    return Mapping{};
  };
  const int file = ::open(config.file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0640);
  if (file < 0) return failed("opening", errno);
  Mapping mapping{.memory = nullptr, .file = file};
  const char* const step = MapOpened(file, size, mapping.memory);
  if (step == nullptr) return mapping;
  const int error = errno;
  ::close(file);
  return failed(step, error);
}

}  // namespace

std::unique_ptr<FlightRing> FlightRing::Open(const FlightConfig& config, BootId boot, Status& why) {
  const std::size_t size = SizeOf(config);
  Mapping mapping = config.file.empty() ? Mapping{} : MapFile(config, size, why);
  if (mapping.memory == nullptr) {
    mapping.memory =
        ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping.memory == MAP_FAILED) throw std::bad_alloc();
  }
  // Private constructor: make_unique cannot reach it.
  std::unique_ptr<FlightRing> ring(
      new FlightRing({static_cast<std::byte*>(mapping.memory), size}, mapping.file));
  if (!ring->Resume(boot)) ring->Begin(boot);
  return ring;
}

FlightRing::~FlightRing() {
  ::munmap(memory_.data(), memory_.size());
  if (file_ >= 0) ::close(file_);
}

void FlightRing::Begin(BootId boot) {
  header_ = {.capacity = memory_.size() - FlightHeader::kBytes,
             .boot = boot,
             .last_alive = {},
             .head = 0,
             .tail = 0,
             .next_sequence = 1};
  EncodeFlightHeader(header_, scratch_);
  std::ranges::copy(scratch_, memory_.begin());
}

// Only what the frames themselves prove is kept; whatever follows a torn frame is given up.
bool FlightRing::Resume(BootId boot) {
  auto header = DecodeFlightHeader(memory_);
  if (!header.ok() || header->boot != boot) return false;
  const auto frames = ReadFlight(memory_);
  if (!frames.ok()) return false;
  header_ = *header;
  last_alive_before_ = header_.last_alive;
  const bool is_whole = frames->empty() ? header_.head == header_.tail
                                        : frames->back().sequence + 1 == header_.next_sequence;
  if (!is_whole) {
    Begin(boot);
    return true;
  }
  if (!frames->empty()) newest_ = frames->back().row.at;
  return true;
}

void FlightRing::Write(const Row& row, DictionaryHash dictionary) {
  EncodeFlightFrame(header_.next_sequence, dictionary, row, scratch_);
  if (scratch_.size() > header_.capacity / 2) {
    ++dropped_;
    return;
  }
  const auto offset = static_cast<std::size_t>(header_.head % header_.capacity);
  const std::size_t to_end = static_cast<std::size_t>(header_.capacity) - offset;
  const bool needs_filler = scratch_.size() > to_end;
  const std::uint64_t start = header_.head + (needs_filler ? to_end : 0);
  MakeRoom(start + scratch_.size());
  if (needs_filler) {
    const std::uint32_t filler = kFlightFillerBit | static_cast<std::uint32_t>(to_end);
    for (std::size_t i = 0; i < 4; ++i) {
      ring()[offset + i] = static_cast<std::byte>(filler >> (8 * i));
    }
  }
  std::ranges::copy(scratch_,
                    ring().subspan(static_cast<std::size_t>(start % header_.capacity)).begin());
  header_.head = start + scratch_.size();
  ++header_.next_sequence;
  newest_ = row.at;
  StoreField(kFlightHeadAt, header_.head);
  StoreField(kFlightNextSequenceAt, header_.next_sequence);
}

void FlightRing::MakeRoom(std::uint64_t up_to) {
  while (up_to - header_.tail > header_.capacity) {
    bool is_filler = false;
    const auto at = static_cast<std::size_t>(header_.tail % header_.capacity);
    const std::size_t size = FlightFrameSize(ring().subspan(at), is_filler);
    // Someone else wrote into the file: what it held cannot be told any more.
    header_.tail = size == 0 ? header_.head : header_.tail + size;
  }
  StoreField(kFlightTailAt, header_.tail);
}

void FlightRing::Beat(BootTime now) {
  StoreField(kFlightLastAliveAt, static_cast<std::uint64_t>(Count(now)));
}

Nanos FlightRing::held() const {
  for (std::uint64_t at = header_.tail; at < header_.head;) {
    const auto rest = ring().subspan(static_cast<std::size_t>(at % header_.capacity));
    bool is_filler = false;
    const std::size_t size = FlightFrameSize(rest, is_filler);
    if (const auto oldest = DecodeFlightFrame(rest)) return newest_ - oldest->row.at;
    if (size == 0) break;
    at += size;
  }
  return Nanos{};
}

// A release store: who finds the field finds what was written before it.
void FlightRing::StoreField(std::size_t at, std::uint64_t value) {
  static_assert(std::endian::native == std::endian::little, "the file is little endian");
  auto* field = reinterpret_cast<std::uint64_t*>(memory_.data() + at);
  std::atomic_ref<std::uint64_t>(*field).store(value, std::memory_order_release);
}

}  // namespace tacho
