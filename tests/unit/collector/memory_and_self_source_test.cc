// Memory of the board, and what this process costs.
#include <gtest/gtest.h>

#include "collector/source.h"
#include "tests/support/recorded_sink.h"
#include "tests/unit/collector/boards.h"

namespace tacho {
extern const SourceKind kMemorySource;
extern const SourceKind kSelfSource;
namespace {

TEST(MemorySourceTest, UsedIsCountedAsTegrastatsCountsIt) {
  RecordedSink seen;
  auto source = kMemorySource.open(FixtureBoard("xavier-nx"), seen);
  ASSERT_TRUE(source.ok());
  const RecordedSweep sweep = seen.Sample(**source);
  const std::map<std::string, std::int64_t> expected = {
      {"memory_used", (6998016LL - 2404352 - 133120 - 2097152) * 1024},
      {"memory_total", 6998016LL * 1024},
      {"memory_available", 4810752LL * 1024},
      {"memory_cma_free", 11264LL * 1024},
      {"swap_used", (3499008LL - 3202048) * 1024},
      {"swap_total", 3499008LL * 1024},
      {"swap_cached", 4096LL * 1024},
  };
  EXPECT_EQ(sweep.values, expected);
}

TEST(MemorySourceTest, WhatTheKernelDoesNotHaveIsNoChannel) {
  RecordedSink seen;
  auto source = kMemorySource.open(FixtureBoard("ti-j721e"), seen);
  ASSERT_TRUE(source.ok());
  const RecordedSweep sweep = seen.Sample(**source);
  EXPECT_TRUE(sweep.values.contains("memory_cma_free"));
  EXPECT_FALSE(sweep.values.contains("swap_used"));
  EXPECT_TRUE(sweep.absent.empty());
}

TEST(MemorySourceTest, LineThatWentAwayIsAbsentNotZero) {
  BoardFolder board;
  board.With("proc/meminfo", "MemTotal: 100 kB\nMemAvailable: 50 kB\n");
  RecordedSink seen;
  auto source = kMemorySource.open(board.root(), seen);
  ASSERT_TRUE(source.ok());
  board.With("proc/meminfo", "MemTotal: 100 kB\nMemAvailable: 5");
  const RecordedSweep sweep = seen.Sample(**source);
  EXPECT_EQ(sweep.values.at("memory_total"), 102'400);
  EXPECT_EQ(sweep.absent.at("memory_available"), Why::kUnparsable);
}

TEST(SelfSourceTest, CostOfThisProcessIsReadWhateverTheBoard) {
  RecordedSink seen;
  auto source = kSelfSource.open(SystemRoot{"/nonexistent"}, seen);
  ASSERT_TRUE(source.ok());
  const RecordedSweep first = seen.Sample(**source);
  EXPECT_GT(first.values.at("self_resident_memory"), 500'000);
  EXPECT_EQ(first.values.size(), 4u);
  const RecordedSweep second = seen.Sample(**source);
  EXPECT_GE(second.values.at("self_cpu_time"), first.values.at("self_cpu_time"));
}

}  // namespace
}  // namespace tacho
