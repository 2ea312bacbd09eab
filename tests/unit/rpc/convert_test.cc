// Messages become plain values only within their limits, and yesterday's bytes still do.
#include "rpc/inside/convert.h"

#include <fstream>
#include <gtest/gtest.h>
#include <string>

#include "tests/support/page_example.h"

namespace tacho {

namespace {

const BootId kBoot = *BootId::Parse("0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9");
const StreamKey kStream{kBoot, Epoch{0x0102030405060708}, Tier::kSummaries};

Bytes Golden(const std::string& name) {
  const std::string path = std::string(TACHO_SOURCE_DIR) + "/tests/golden/wire_v1_" + name + ".hex";
  std::ifstream file(path);
  EXPECT_TRUE(file.is_open()) << path;
  Bytes bytes;
  std::string line;
  while (std::getline(file, line)) {
    for (std::size_t i = 0; i + 1 < line.size(); i += 2) {
      bytes.push_back(static_cast<std::byte>(std::stoi(line.substr(i, 2), nullptr, 16)));
    }
  }
  return bytes;
}

Result<Up> ReadUp(const Bytes& bytes) {
  v1::Up up;
  EXPECT_TRUE(up.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())));
  return FromWire(std::as_const(up));
}

Down ReadDown(const Bytes& bytes) {
  v1::Down down;
  EXPECT_TRUE(down.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())));
  auto result = FromWire(std::as_const(down));
  EXPECT_TRUE(result.ok() && result->has_value());
  return **std::move(result);
}

// Old bytes stay readable, and the page shows what is really sent.
class WirePage : public testing::TestWithParam<const char*> {};

TEST_P(WirePage, ShowsTheGoldenBytes) {
  EXPECT_EQ(PageExample("formats/wire.md", GetParam()), Golden(GetParam()));
}
INSTANTIATE_TEST_SUITE_P(Messages, WirePage,
                         testing::Values("hello", "welcome", "record", "ack", "refused", "throttle",
                                         "goodbye"));

TEST(Wire, ReadsTheGoldenHello) {
  const auto up = ReadUp(Golden("hello"));
  ASSERT_TRUE(up.ok());
  const Hello& hello = std::get<Hello>(*up);
  EXPECT_EQ(hello.robot, "rb12");
  EXPECT_EQ(hello.boot, kBoot);
  EXPECT_EQ(hello.boot_counter, 118u);
  EXPECT_EQ(hello.agent, "tacho-uplink 0.1.0");
  EXPECT_EQ(hello.protocol_oldest, 1u);
  EXPECT_EQ(hello.protocol_newest, 1u);
  EXPECT_EQ(Count(hello.clock.boot), 1'000'000'000);
  EXPECT_EQ(Count(hello.clock.wall), 1'700'000'000'000'000'000);
  EXPECT_EQ(hello.clock.trust, ClockTrust::kNtp);
  EXPECT_EQ(hello.streams, (std::vector{kStream}));
}

TEST(Wire, ReadsTheGoldenRecord) {
  const auto up = ReadUp(Golden("record"));
  ASSERT_TRUE(up.ok());
  const Record& record = std::get<Record>(*up);
  EXPECT_EQ(record.stream, kStream);
  EXPECT_EQ(record.seqs, (SeqRange{Seq{11}, 10}));
  EXPECT_EQ(record.kind, RecordKind::kSummary);
  EXPECT_EQ(record.dictionary, DictionaryHash{0x1122334455667788});
  EXPECT_EQ(record.payload, (Bytes{std::byte{1}, std::byte{2}, std::byte{3}}));
}

TEST(Wire, ReadsTheGoldenAnswers) {
  const auto welcome = std::get<Welcome>(ReadDown(Golden("welcome")));
  EXPECT_EQ(welcome.protocol, 1u);
  EXPECT_EQ(Count(welcome.server_time), 1'700'000'000'000'000'000);
  ASSERT_EQ(welcome.committed.size(), 1u);
  EXPECT_EQ(welcome.committed[0].stream, kStream);
  EXPECT_EQ(welcome.committed[0].ranges.through(), Seq{10});
  const auto ack = std::get<Ack>(ReadDown(Golden("ack")));
  EXPECT_EQ(ack.committed.ranges.list(),
            (std::vector{SeqRange{Seq{1}, 20}, SeqRange{Seq{31}, 10}}));
  const auto refused = std::get<Refused>(ReadDown(Golden("refused")));
  EXPECT_EQ(refused.seqs, (SeqRange{Seq{15}, 10}));
  EXPECT_EQ(refused.why.code(), Code::kExists);
  EXPECT_EQ(refused.why.message(), "overlap");
  EXPECT_EQ(refused.committed.ranges.through(), Seq{20});
  EXPECT_EQ(std::get<Throttle>(ReadDown(Golden("throttle"))).pause, std::chrono::seconds(5));
}

TEST(Wire, WritesTheGoldenBytes) {
  for (const char* name : {"hello", "record", "goodbye"}) {
    const auto up = ReadUp(Golden(name));
    ASSERT_TRUE(up.ok());
    const v1::Up again = std::visit([](const auto& message) { return ToWire(message); }, *up);
    const std::string bytes = again.SerializeAsString();
    EXPECT_EQ(Bytes(std::as_bytes(std::span(bytes)).begin(), std::as_bytes(std::span(bytes)).end()),
              Golden(name));
  }
  for (const char* name : {"welcome", "ack", "refused", "throttle"}) {
    const std::string bytes = ToWire(ReadDown(Golden(name))).SerializeAsString();
    EXPECT_EQ(Bytes(std::as_bytes(std::span(bytes)).begin(), std::as_bytes(std::span(bytes)).end()),
              Golden(name));
  }
}

v1::Up GoodRecord() {
  Record record{kStream, {Seq{1}, 1}, RecordKind::kEvent, {}, {}};
  return ToWire(record);
}

Code CodeFor(const v1::Up& up) {
  const auto result = FromWire(up);
  return result.ok() ? Code::kOk : result.error()->code();
}

TEST(Wire, RefusesARecordBeyondItsLimits) {
  v1::Up up = GoodRecord();
  EXPECT_EQ(CodeFor(up), Code::kOk);
  up.mutable_record()->set_payload(std::string(kMaxPayloadBytes + 1, 'x'));
  EXPECT_EQ(CodeFor(up), Code::kExhausted);
  EXPECT_TRUE(NameOf(up.record()).has_value());
  up = GoodRecord();
  up.mutable_record()->set_kind(0);
  EXPECT_EQ(CodeFor(up), Code::kInvalid);
  up.mutable_record()->set_kind(255);  // of a later release
  EXPECT_EQ(CodeFor(up), Code::kOk);
  up.mutable_record()->set_count(kMaxRecordSeqs + 1);
  EXPECT_EQ(CodeFor(up), Code::kInvalid);
  up.mutable_record()->set_count(2);
  up.mutable_record()->set_first(~std::uint64_t{0});
  EXPECT_EQ(CodeFor(up), Code::kInvalid);
  up = GoodRecord();
  up.mutable_record()->mutable_stream()->set_tier(5);
  EXPECT_EQ(CodeFor(up), Code::kInvalid);
  up = GoodRecord();
  up.mutable_record()->mutable_stream()->set_boot_id("short");
  EXPECT_EQ(CodeFor(up), Code::kInvalid);
  EXPECT_FALSE(NameOf(up.record()).has_value());
}

TEST(Wire, RefusesAHelloBeyondItsLimits) {
  Hello hello;
  hello.robot = "rb12";
  const v1::Up good = ToWire(hello);
  EXPECT_EQ(CodeFor(good), Code::kOk);
  v1::Up up = good;
  up.mutable_hello()->set_robot(std::string(65, 'r'));
  EXPECT_EQ(CodeFor(up), Code::kInvalid);
  up.mutable_hello()->set_robot("");
  EXPECT_EQ(CodeFor(up), Code::kInvalid);
  up.mutable_hello()->set_robot("rb\n12");
  EXPECT_EQ(CodeFor(up), Code::kInvalid);
  up = good;
  up.mutable_hello()->mutable_clock()->set_trust(5);
  EXPECT_EQ(CodeFor(up), Code::kInvalid);
  up = good;
  up.mutable_hello()->set_protocol_oldest(2);
  EXPECT_EQ(CodeFor(up), Code::kInvalid);
  up = good;
  for (int i = 0; i < 257; ++i) {
    *up.mutable_hello()->add_streams() = GoodRecord().record().stream();
  }
  EXPECT_EQ(CodeFor(up), Code::kInvalid);
}

TEST(Wire, RefusesAnEmptyUpAndIgnoresAnUnknownDown) {
  EXPECT_EQ(CodeFor(v1::Up()), Code::kInvalid);
  const v1::Down unknown;
  const auto down = FromWire(unknown);
  ASSERT_TRUE(down.ok());
  EXPECT_FALSE(down->has_value());
}

TEST(Wire, SendsOnlyTheOldestRangesOfALongList) {
  Ack ack{{kStream, {}}};
  for (std::uint64_t i = 0; i < 100; ++i) {
    ack.committed.ranges.Add({Seq{1 + 10 * i}, 2});
  }
  const v1::Down down = ToWire(Down(ack));
  ASSERT_EQ(down.ack().ranges_size(), 64);
  EXPECT_EQ(down.ack().ranges(63).first(), 631u);
  EXPECT_TRUE(FromWire(down).ok());
}

TEST(Wire, TakesAnUnknownCodeOfARefusalForNotNow) {
  v1::Down down = ToWire(Down(Refused{kStream, {Seq{1}, 1}, Status(Code::kExists, "x"), {}}));
  down.mutable_refused()->set_code(77);
  const auto refused = FromWire(std::as_const(down));
  ASSERT_TRUE(refused.ok());
  EXPECT_EQ(std::get<Refused>(**refused).why.code(), Code::kUnavailable);
}

TEST(Wire, CutsSentencesBetweenCharacters) {
  EXPECT_EQ(Cut("short", 10), "short");
  EXPECT_EQ(Cut("a\xC3\xA4", 2), "a");  // "ä" has two bytes
  EXPECT_EQ(Cut("a\xC3\xA4", 3), "a\xC3\xA4");
  EXPECT_EQ(Cut("two\nlines", 100), "two lines");
}

}  // namespace

}  // namespace tacho
