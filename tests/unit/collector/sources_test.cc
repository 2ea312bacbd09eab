// What holds for every source and feed: metrics of one meaning, no allocation, reasons of errors.
#include <algorithm>
#include <cerrno>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>

#include "collector/attribute.h"
#include "collector/feeds/tegrastats_reader.h"
#include "collector/source.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/fake_clock.h"
#include "tests/support/recorded_sink.h"
#include "tests/unit/collector/boards.h"

namespace tacho {
namespace {

// Neither remembers nor allocates.
class CountingSink final : public SweepSink {
 public:
  void Begin(BootTime /*at*/) override {}
  void End() override {}
  void Put(ChannelId /*channel*/, std::int64_t /*value*/) override { ++calls; }
  void Absent(ChannelId /*channel*/, Why /*why*/) override { ++calls; }
  std::size_t calls = 0;
};

TEST(SourcesTest, SampleAllocatesNothingAndSaysEachChannelOnce) {
  for (const char* board :
       {"orin-agx-sysfs", "thor-agx-sysfs", "xavier-nx", "ti-j721e", "plain-linux"}) {
    for (const SourceKind* kind : AllSourceKinds()) {
      RecordedSink book;
      auto source = kind->open(FixtureBoard(board), book);
      if (!source.ok()) continue;
      CountingSink sink;
      const AllocationCounter counter;
      const bool is_ok = (*source)->Sample(sink).ok();
      EXPECT_EQ(counter.count(), 0u) << kind->name << " on " << board;
      EXPECT_TRUE(is_ok) << kind->name << " on " << board;
      EXPECT_EQ(sink.calls, book.names().size()) << kind->name << " on " << board;
    }
  }
}

TEST(SourcesTest, EveryBoardNamesItsChannelsOnce) {
  for (const char* board : {"orin-agx-sysfs", "thor-agx-sysfs", "xavier-nx", "ti-j721e",
                            "plain-linux", "orin-agx", "thor-agx"}) {
    RecordedSink book;
    for (const SourceKind* kind : AllSourceKinds()) {
      const auto source = kind->open(FixtureBoard(board), book);
      if (!source.ok()) {
        EXPECT_EQ(source.error()->code(), Code::kNotFound) << kind->name << " on " << board;
      }
    }
    const std::vector<std::string> names = book.names();
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size()) << board;
  }
}

TEST(SourcesTest, MetricsOfOneNameAreOneDefinition) {
  std::map<std::string_view, const MetricDef*> known;
  for (const SourceKind* kind : AllSourceKinds()) {
    for (const MetricDef& metric : kind->metrics) {
      const auto [found, is_new] = known.emplace(metric.name, &metric);
      EXPECT_EQ(found->second->unit, metric.unit) << metric.name;
      EXPECT_EQ(found->second->decimals, metric.decimals) << metric.name;
      EXPECT_FALSE(metric.help.empty()) << metric.name;
      EXPECT_TRUE(metric.help.ends_with('.')) << metric.name;
    }
  }
}

TEST(SourcesTest, KindsAreInOrderOfTheirNames) {
  std::vector<std::string_view> names;
  for (const SourceKind* kind : AllSourceKinds()) {
    names.push_back(kind->name);
  }
  EXPECT_TRUE(std::ranges::is_sorted(names));
  EXPECT_GE(names.size(), 5u);
}

TEST(TegrastatsReaderTest, LinesOfKnownTokensAllocateNothing) {
  std::ifstream input(FixtureBoard("orin-agx").Of("tegrastats.log"));
  const std::string log{std::istreambuf_iterator<char>(input), std::istreambuf_iterator<char>()};
  const FakeClock clock;
  RecordedSink book;
  CountingSink sink;
  TegrastatsCounters counters;
  TegrastatsReader reader(
      clock, book, [](auto, auto) { return false; }, counters);
  reader.Start(sink);
  reader.Read(log);
  const AllocationCounter counter;
  reader.Read(log);
  EXPECT_EQ(counter.count(), 0u);
  EXPECT_EQ(counters.lines, 480u);
}

TEST(KernelFileTest, ErrorNumbersAreReasons) {
  EXPECT_EQ(WhyOf(EAGAIN), Why::kGated);
  EXPECT_EQ(WhyOf(ENODATA), Why::kDisabled);
  EXPECT_EQ(WhyOf(EACCES), Why::kForbidden);
  EXPECT_EQ(WhyOf(EPERM), Why::kForbidden);
  EXPECT_EQ(WhyOf(EIO), Why::kBroken);
  EXPECT_EQ(WhyOf(ETIMEDOUT), Why::kBroken);
}

TEST(AttributeTest, OnlyAWholeNumberIsAValue) {
  EXPECT_EQ(ParseAttribute("48250\n").value, 48'250);
  EXPECT_EQ(ParseAttribute("-20").value, -20);
  for (const char* text : {"", "\n", "off\n", "12 mA\n", "0x10\n", "1\n2\n"}) {
    EXPECT_EQ(ParseAttribute(text).why, Why::kUnparsable) << text;
  }
}

TEST(AttributeTest, FileThatIsNotThereIsNoAttribute) {
  EXPECT_FALSE(Attribute::Open("/nonexistent/temp").has_value());
  EXPECT_FALSE(Attribute::Open("/proc/self/status/temp").has_value());
}

}  // namespace
}  // namespace tacho
