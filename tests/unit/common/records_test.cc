// Records and dictionaries: the page's bytes decode to what the page says, and back.
#include <gtest/gtest.h>

#include "common/bytes.h"
#include "common/dictionary.h"
#include "common/record.h"
#include "tests/support/page_example.h"

using namespace std::chrono_literals;

namespace tacho {
namespace {

constexpr std::string_view kPage = "formats/records.md";

BootId SomeBoot() {
  return *BootId::Parse("0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9");
}

Dictionary SomeDictionary() {
  Dictionary dictionary;
  dictionary.groups = {{GroupId{0}, "board", 1s}};
  dictionary.channels = {
      {ChannelId{0}, GroupId{0}, "rail", "GPU", Unit::kWatts, 3, Shape::kGauge, "Power."}};
  dictionary.setup = {{"model", "Orin"}};
  return dictionary;
}

TEST(RecordsPageTest, DictionaryExampleIsWhatThePageSays) {
  const Bytes page = PageExample(kPage, "dictionary");
  EXPECT_EQ(Encode(SomeDictionary()), page);
  auto decoded = DecodeDictionary(page);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(*decoded, SomeDictionary());
}

TEST(RecordsPageTest, BootExampleIsWhatThePageSays) {
  const BootReport report{118, "tachod 0.1.0", BootTimeOf(1'250'000'000), false, "killed"};
  const Bytes page = PageExample(kPage, "boot");
  EXPECT_EQ(Encode(report), page);
  auto decoded = DecodeBootReport(page);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(*decoded, report);
}

TEST(RecordsPageTest, ClockExampleIsWhatThePageSays) {
  const ClockPair pair{BootTimeOf(1'000'000'000), WallTimeOf(1'700'000'000'000'000'000),
                       ClockTrust::kNtp};
  const Bytes page = PageExample(kPage, "clock");
  EXPECT_EQ(Encode(pair), page);
  auto decoded = DecodeClockPair(page);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(*decoded, pair);
}

TEST(RecordsPageTest, RunExampleIsWhatThePageSays) {
  const RunChange change{RunChange::What::kOpened,  4,  "mission",
                         BootTimeOf(2'000'000'000), "", {{"site", "M1"}}};
  const Bytes page = PageExample(kPage, "run");
  EXPECT_EQ(Encode(change), page);
  auto decoded = DecodeRunChange(page);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(*decoded, change);
}

TEST(RecordsPageTest, EventExampleIsWhatThePageSays) {
  const Event event{BootTimeOf(2'000'000'000), Severity::kWarning, "throttle", "oc3"};
  const Bytes page = PageExample(kPage, "event");
  EXPECT_EQ(Encode(event), page);
  auto decoded = DecodeEvent(page);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(*decoded, event);
}

TEST(RecordsPageTest, GapExampleIsWhatThePageSays) {
  const Gap gap{{SomeBoot(), Epoch{0x0102030405060708}, Tier::kSummaries}, {Seq{10}, 5}, "evicted"};
  const Bytes page = PageExample(kPage, "gap");
  EXPECT_EQ(Encode(gap), page);
  auto decoded = DecodeGap(page);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(*decoded, gap);
}

TEST(RecordsTest, EveryCutOfAnEventIsRefused) {
  const Bytes bytes = Encode(Event{BootTimeOf(-5), Severity::kError, "kind", "detail"});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecodeEvent(std::span(bytes).first(size)).ok()) << size;
  }
}

TEST(RecordsTest, FieldsOfANewerWriterAreIgnored) {
  Bytes bytes = Encode(Event{BootTimeOf(7), Severity::kInfo, "kind", "detail"});
  bytes.push_back(std::byte{42});
  auto event = DecodeEvent(bytes);
  ASSERT_TRUE(event.ok());
  EXPECT_EQ(event->detail, "detail");
}

TEST(RecordsTest, TextPastTheLimitIsCutByTheWriter) {
  const Event event{BootTimeOf(7), Severity::kInfo, "kind", std::string(10'000, 'x')};
  auto decoded = DecodeEvent(Encode(event));
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->detail.size(), kMostRecordText);
}

TEST(RecordsTest, LabelsPastTheLimitAreCutByTheWriter) {
  RunChange change;
  for (int i = 0; i < 100; ++i) {
    change.labels.emplace_back("key" + std::to_string(i), "value");
  }
  auto decoded = DecodeRunChange(Encode(change));
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(decoded->labels.size(), kMostRunLabels);
}

TEST(RecordsTest, SeverityThatDoesNotExistIsRefused) {
  Event event{BootTimeOf(7), static_cast<Severity>(9), "kind", "detail"};
  auto decoded = DecodeEvent(Encode(event));
  ASSERT_NE(decoded.error(), nullptr);
  EXPECT_EQ(decoded.error()->code(), Code::kCorrupt);
}

TEST(RecordsTest, GapOfNothingOrPastTheLastSeqIsRefused) {
  Gap gap{{SomeBoot(), Epoch{1}, Tier::kEvents}, {Seq{10}, 0}, "evicted"};
  EXPECT_FALSE(DecodeGap(Encode(gap)).ok());
  gap.seqs.count = ~std::uint64_t{0};
  EXPECT_FALSE(DecodeGap(Encode(gap)).ok());
}

TEST(DictionaryTest, SameDictionaryGivesTheSameHash) {
  EXPECT_EQ(HashOf(Encode(SomeDictionary())), HashOf(Encode(SomeDictionary())));
  Dictionary other = SomeDictionary();
  other.setup[0].second = "Thor";
  EXPECT_NE(HashOf(Encode(other)), HashOf(Encode(SomeDictionary())));
}

TEST(DictionaryTest, EveryCutIsRefused) {
  const Bytes bytes = Encode(SomeDictionary());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    auto decoded = DecodeDictionary(std::span(bytes).first(size));
    ASSERT_NE(decoded.error(), nullptr) << size;
    EXPECT_EQ(decoded.error()->code(), Code::kCorrupt) << size;
  }
}

TEST(DictionaryTest, BytesAfterTheEndAreRefused) {
  Bytes bytes = Encode(SomeDictionary());
  bytes.push_back(std::byte{0});
  EXPECT_FALSE(DecodeDictionary(bytes).ok());
}

TEST(DictionaryTest, MoreChannelsThanTheLimitAreExhausted) {
  Dictionary dictionary = SomeDictionary();
  dictionary.channels.push_back(dictionary.channels[0]);
  DictionaryLimits limits;
  limits.channels = 1;
  auto decoded = DecodeDictionary(Encode(dictionary), limits);
  ASSERT_NE(decoded.error(), nullptr);
  EXPECT_EQ(decoded.error()->code(), Code::kExhausted);
}

TEST(DictionaryTest, SetupOutOfOrderIsRefused) {
  Dictionary dictionary = SomeDictionary();
  dictionary.setup = {{"b", "1"}, {"a", "2"}};
  EXPECT_FALSE(DecodeDictionary(Encode(dictionary)).ok());
}

}  // namespace
}  // namespace tacho
