#include "rpc/inside/convert.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace tacho {

namespace {

constexpr int kMaxStreams = 256;
constexpr std::size_t kMaxRobot = 64;
constexpr std::size_t kMaxAgent = 128;
constexpr std::size_t kMaxReason = 256;
constexpr std::size_t kMaxWhy = 1024;
constexpr std::uint64_t kMaxPauseMs = 3'600'000;

bool IsControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F;
}

Status CheckText(std::string_view field, const std::string& text, std::size_t limit) {
  if (text.size() > limit) {
    return Status(Code::kInvalid, fmt::format("{} has {} bytes, at most {} are allowed", field,
                                              text.size(), limit));
  }
  if (std::any_of(text.begin(), text.end(), IsControl)) {
    return Status(Code::kInvalid, fmt::format("{} holds a control character", field));
  }
  return Status();
}

Result<BootId> BootOf(const std::string& bytes) {
  BootId boot;
  if (bytes.size() != boot.bytes.size()) {
    return Status(Code::kInvalid, fmt::format("a boot id has 16 bytes, not {}", bytes.size()));
  }
  std::memcpy(boot.bytes.data(), bytes.data(), bytes.size());
  return boot;
}

std::string BytesOf(const BootId& boot) {
  return std::string(boot.bytes.begin(), boot.bytes.end());
}

Result<StreamKey> FromWire(const v1::StreamKey& key) {
  auto boot = BootOf(key.boot_id());
  if (!boot.ok()) return std::move(boot).status();
  if (key.tier() >= static_cast<std::uint32_t>(kTiers)) {
    return Status(Code::kInvalid, fmt::format("there is no tier {}", key.tier()));
  }
  return StreamKey{*boot, Epoch{key.epoch()}, static_cast<Tier>(key.tier())};
}

void ToWire(const StreamKey& key, v1::StreamKey& to) {
  to.set_boot_id(BytesOf(key.boot));
  to.set_epoch(Number(key.epoch));
  to.set_tier(static_cast<std::uint32_t>(key.tier));
}

// `most`: a record is short, a committed range may be as long as a stream.
Result<SeqRange> SeqsOf(std::uint64_t first, std::uint64_t count, std::uint64_t most) {
  if (first == 0 || count == 0 || count > most ||
      first > std::numeric_limits<std::uint64_t>::max() - count) {
    return Status(Code::kInvalid, fmt::format("{} seqs from {} on are no range", count, first));
  }
  return SeqRange{Seq{first}, count};
}

template <class Ranges>
Result<SeqRanges> RangesOf(const Ranges& ranges) {
  if (static_cast<std::size_t>(ranges.size()) > kMaxRanges) {
    return Status(Code::kInvalid,
                  fmt::format("{} ranges, at most {} are allowed", ranges.size(), kMaxRanges));
  }
  SeqRanges result;
  for (const v1::SeqRange& range : ranges) {
    auto seqs = SeqsOf(range.first(), range.count(), std::numeric_limits<std::uint64_t>::max());
    if (!seqs.ok()) return std::move(seqs).status();
    result.Add(*seqs);
  }
  return result;
}

template <class Ranges>
void ToWire(const SeqRanges& ranges, Ranges* to) {
  std::size_t left = kMaxRanges;
  for (const SeqRange& range : ranges.list()) {
    if (left-- == 0) return;
    v1::SeqRange* one = to->Add();
    one->set_first(Number(range.first));
    one->set_count(range.count);
  }
}

Result<Committed> FromWire(const v1::Committed& committed) {
  auto stream = FromWire(committed.stream());
  if (!stream.ok()) return std::move(stream).status();
  auto ranges = RangesOf(committed.ranges());
  if (!ranges.ok()) return std::move(ranges).status();
  return Committed{*stream, *std::move(ranges)};
}

void ToWire(const Committed& committed, v1::Committed& to) {
  ToWire(committed.stream, *to.mutable_stream());
  ToWire(committed.ranges, to.mutable_ranges());
}

Result<ClockPair> FromWire(const v1::ClockPair& pair) {
  if (pair.trust() > static_cast<std::uint32_t>(ClockTrust::kGps)) {
    return Status(Code::kInvalid, fmt::format("there is no clock trust {}", pair.trust()));
  }
  return ClockPair{BootTimeOf(pair.boot_ns()), WallTimeOf(pair.wall_ns()),
                   static_cast<ClockTrust>(pair.trust())};
}

Status ReadStreams(const v1::Hello& hello, std::vector<StreamKey>& streams) {
  if (hello.streams_size() > kMaxStreams) {
    return Status(Code::kInvalid, fmt::format("{} streams, at most {} are allowed",
                                              hello.streams_size(), kMaxStreams));
  }
  for (const v1::StreamKey& key : hello.streams()) {
    auto stream = FromWire(key);
    if (!stream.ok()) return std::move(stream).status();
    streams.push_back(*stream);
  }
  return Status();
}

Result<Up> FromWire(const v1::Hello& hello) {
  TACHO_TRY(CheckText("robot", hello.robot(), kMaxRobot));
  TACHO_TRY(CheckText("agent", hello.agent(), kMaxAgent));
  if (hello.robot().empty()) return Status(Code::kInvalid, "the robot has no name");
  if (hello.protocol_oldest() > hello.protocol_newest()) {
    return Status(Code::kInvalid, "the oldest protocol is newer than the newest");
  }
  auto boot = BootOf(hello.boot_id());
  if (!boot.ok()) return std::move(boot).status();
  auto clock = FromWire(hello.clock());
  if (!clock.ok()) return std::move(clock).status();
  Hello result;
  TACHO_TRY(ReadStreams(hello, result.streams));
  result.robot = hello.robot();
  result.boot = *boot;
  result.boot_counter = hello.boot_counter();
  result.agent = hello.agent();
  result.protocol_oldest = hello.protocol_oldest();
  result.protocol_newest = hello.protocol_newest();
  result.clock = *clock;
  return Up(std::move(result));
}

Result<Up> FromWire(const v1::Record& record) {
  auto stream = FromWire(record.stream());
  if (!stream.ok()) return std::move(stream).status();
  auto seqs = SeqsOf(record.first(), record.count(), kMaxRecordSeqs);
  if (!seqs.ok()) return std::move(seqs).status();
  // Kinds of a later release pass: whoever cannot read one keeps it.
  if (record.kind() == 0 || record.kind() > 255) {
    return Status(Code::kInvalid, fmt::format("there is no kind {}", record.kind()));
  }
  if (record.payload().size() > kMaxPayloadBytes) {
    return Status(Code::kExhausted, fmt::format("the payload has {} bytes, at most {} are allowed",
                                                record.payload().size(), kMaxPayloadBytes));
  }
  const auto payload = std::as_bytes(std::span(record.payload()));
  return Up(Record{*stream, *seqs, static_cast<RecordKind>(record.kind()),
                   DictionaryHash{record.dictionary()},
                   std::vector<std::byte>(payload.begin(), payload.end())});
}

Result<std::optional<Down>> FromWire(const v1::Welcome& welcome) {
  if (welcome.committed_size() > kMaxStreams) {
    return Status(Code::kInvalid, fmt::format("{} streams, at most {} are allowed",
                                              welcome.committed_size(), kMaxStreams));
  }
  Welcome result{welcome.protocol(), WallTimeOf(welcome.server_wall_ns()), {}};
  for (const v1::Committed& one : welcome.committed()) {
    auto committed = FromWire(one);
    if (!committed.ok()) return std::move(committed).status();
    result.committed.push_back(*std::move(committed));
  }
  return std::optional<Down>(std::move(result));
}

// A number that is no code of ours counts as "not now".
Code CodeOf(std::uint32_t number) {
  constexpr std::array kKnown = {Code::kCancelled,   Code::kInvalid,     Code::kTimeout,
                                 Code::kNotFound,    Code::kExists,      Code::kDenied,
                                 Code::kExhausted,   Code::kUnsupported, Code::kInternal,
                                 Code::kUnavailable, Code::kCorrupt};
  for (const Code code : kKnown) {
    if (static_cast<std::uint32_t>(code) == number) return code;
  }
  return Code::kUnavailable;
}

Result<std::optional<Down>> FromWire(const v1::Refused& refused) {
  auto stream = FromWire(refused.stream());
  if (!stream.ok()) return std::move(stream).status();
  auto seqs = SeqsOf(refused.seqs().first(), refused.seqs().count(), kMaxRecordSeqs);
  if (!seqs.ok()) return std::move(seqs).status();
  TACHO_TRY(CheckText("why", refused.why(), kMaxWhy));
  auto ranges = RangesOf(refused.committed());
  if (!ranges.ok()) return std::move(ranges).status();
  return std::optional<Down>(Refused{*stream, *seqs, Status(CodeOf(refused.code()), refused.why()),
                                     Committed{*stream, *std::move(ranges)}});
}

Result<std::optional<Down>> FromWire(const v1::Throttle& throttle) {
  if (throttle.pause_ms() > kMaxPauseMs) {
    return Status(Code::kInvalid, fmt::format("a pause of {} ms, at most {} are allowed",
                                              throttle.pause_ms(), kMaxPauseMs));
  }
  return std::optional<Down>(Throttle{std::chrono::milliseconds(throttle.pause_ms())});
}

void Write(const Welcome& welcome, v1::Down& to) {
  v1::Welcome* out = to.mutable_welcome();
  out->set_protocol(welcome.protocol);
  out->set_server_wall_ns(Count(welcome.server_time));
  for (const Committed& committed : welcome.committed) {
    if (out->committed_size() == kMaxStreams) return;
    ToWire(committed, *out->add_committed());
  }
}

void Write(const Ack& ack, v1::Down& to) {
  ToWire(ack.committed, *to.mutable_ack());
}

void Write(const Refused& refused, v1::Down& to) {
  v1::Refused* out = to.mutable_refused();
  ToWire(refused.stream, *out->mutable_stream());
  out->mutable_seqs()->set_first(Number(refused.seqs.first));
  out->mutable_seqs()->set_count(refused.seqs.count);
  out->set_code(static_cast<std::uint32_t>(refused.why.code()));
  out->set_why(Cut(refused.why.message(), kMaxWhy));
  ToWire(refused.committed.ranges, out->mutable_committed());
}

void Write(const Throttle& throttle, v1::Down& to) {
  const auto ms = std::chrono::ceil<std::chrono::milliseconds>(throttle.pause).count();
  const std::uint64_t pause = ms > 0 ? static_cast<std::uint64_t>(ms) : 0;
  to.mutable_throttle()->set_pause_ms(std::min(pause, kMaxPauseMs));
}

}  // namespace

std::string Cut(std::string_view text, std::size_t limit) {
  std::size_t size = std::min(text.size(), limit);
  // A byte 10xxxxxx goes on with a character: never end before one.
  while (size > 0 && size < text.size() &&
         (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) {
    --size;
  }
  std::string result(text.substr(0, size));
  std::replace_if(result.begin(), result.end(), IsControl, ' ');
  return result;
}

v1::Up ToWire(const Hello& hello) {
  v1::Up up;
  v1::Hello* out = up.mutable_hello();
  out->set_robot(Cut(hello.robot, kMaxRobot));
  out->set_boot_id(BytesOf(hello.boot));
  out->set_boot_counter(hello.boot_counter);
  out->set_agent(Cut(hello.agent, kMaxAgent));
  out->set_protocol_oldest(hello.protocol_oldest);
  out->set_protocol_newest(hello.protocol_newest);
  out->mutable_clock()->set_boot_ns(Count(hello.clock.boot));
  out->mutable_clock()->set_wall_ns(Count(hello.clock.wall));
  out->mutable_clock()->set_trust(static_cast<std::uint32_t>(hello.clock.trust));
  for (const StreamKey& stream : hello.streams) {
    if (out->streams_size() == kMaxStreams) break;
    ToWire(stream, *out->add_streams());
  }
  return up;
}

v1::Up ToWire(const Record& record) {
  v1::Up up;
  v1::Record* out = up.mutable_record();
  ToWire(record.stream, *out->mutable_stream());
  out->set_first(Number(record.seqs.first));
  out->set_count(record.seqs.count);
  out->set_kind(static_cast<std::uint32_t>(record.kind));
  out->set_dictionary(static_cast<std::uint64_t>(record.dictionary));
  out->set_payload(record.payload.data(), record.payload.size());
  return up;
}

v1::Up ToWire(const Goodbye& goodbye) {
  v1::Up up;
  up.mutable_goodbye()->set_reason(Cut(goodbye.reason, kMaxReason));
  return up;
}

v1::Down ToWire(const Down& down) {
  v1::Down result;
  std::visit([&result](const auto& message) { Write(message, result); }, down);
  return result;
}

Result<Up> FromWire(const v1::Up& up) {
  switch (up.what_case()) {
    case v1::Up::kHello:
      return FromWire(up.hello());
    case v1::Up::kRecord:
      return FromWire(up.record());
    case v1::Up::kGoodbye:
      TACHO_TRY(CheckText("reason", up.goodbye().reason(), kMaxReason));
      return Up(Goodbye{up.goodbye().reason()});
    case v1::Up::WHAT_NOT_SET:
      break;
  }
  return Status(Code::kInvalid, "a message of no kind that this release knows");
}

Result<std::optional<Down>> FromWire(const v1::Down& down) {
  switch (down.what_case()) {
    case v1::Down::kWelcome:
      return FromWire(down.welcome());
    case v1::Down::kAck: {
      auto committed = FromWire(down.ack());
      if (!committed.ok()) return std::move(committed).status();
      return std::optional<Down>(Ack{*std::move(committed)});
    }
    case v1::Down::kRefused:
      return FromWire(down.refused());
    case v1::Down::kThrottle:
      return FromWire(down.throttle());
    case v1::Down::kPull:
    case v1::Down::kLive:
    case v1::Down::WHAT_NOT_SET:
      break;
  }
  return std::optional<Down>();
}

std::optional<RecordName> NameOf(const v1::Record& record) {
  const auto stream = FromWire(record.stream());
  const auto seqs = SeqsOf(record.first(), record.count(), kMaxRecordSeqs);
  if (!stream.ok() || !seqs.ok()) return std::nullopt;
  return RecordName{*stream, *seqs};
}

}  // namespace tacho
