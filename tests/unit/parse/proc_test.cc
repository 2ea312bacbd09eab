// Files of /proc.
#include <gtest/gtest.h>

#include "collector/parse/proc_keys.h"
#include "collector/parse/proc_stat.h"
#include "collector/parse/proc_statm.h"

namespace tacho {
namespace {

TEST(ProcStatTest, BusyIsAllButIdleAndWaiting) {
  std::string_view text = "cpu  10 1 5 100 20 2 3 4 7 0\ncpu3 1 0 1 8 0 0 0 0 0 0\nintr 99 1 2\n";
  const auto all = TakeCpuTicks(text);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->core, CpuTicks::kAllCores);
  EXPECT_EQ(all->busy, 25);
  EXPECT_EQ(all->total, 145);
  const auto core = TakeCpuTicks(text);
  ASSERT_TRUE(core);
  EXPECT_EQ(core->core, 3);
  EXPECT_EQ(core->busy, 2);
  EXPECT_EQ(TakeCpuTicks(text), std::nullopt);
}

TEST(ProcStatTest, CutOrBrokenLinesAreNoTicks) {
  for (std::string_view text : {"cpu0 1 2 3 4 5 6 7 8", "cpu0 1 2 x 4 5 6 7 8\n", "cpu0 1 2\n",
                                "cpu-7 1 2 3 4 5 6 7 8\n", "", "\n"}) {
    EXPECT_EQ(TakeCpuTicks(text), std::nullopt) << text;
  }
}

TEST(ProcKeysTest, ValueIsThatOfTheWholeKey) {
  constexpr std::string_view kMeminfo =
      "MemTotal:       1000 kB\nSwapCached:  1 kB\nCached:  30 kB\nHugePages_Total:  4\nMemFree: 5";
  EXPECT_EQ(ValueOfKey(kMeminfo, "MemTotal"), 1000 * 1024);
  EXPECT_EQ(ValueOfKey(kMeminfo, "Cached"), 30 * 1024);
  EXPECT_EQ(ValueOfKey(kMeminfo, "HugePages_Total"), 4);
  EXPECT_EQ(ValueOfKey(kMeminfo, "MemFree"), std::nullopt) << "its line may be cut";
  EXPECT_EQ(ValueOfKey(kMeminfo, "Mem"), std::nullopt);
  EXPECT_EQ(ValueOfKey("A: 99999999999999999 kB\n", "A"), std::nullopt);
  EXPECT_EQ(ValueOfKey("A: x kB\n", "A"), std::nullopt);
}

TEST(ProcStatmTest, ResidentPagesAreTheSecondNumber) {
  EXPECT_EQ(ResidentPages("4310 1203 800 10 0 300 0\n"), 1203);
  EXPECT_EQ(ResidentPages("4310\n"), std::nullopt);
  EXPECT_EQ(ResidentPages(""), std::nullopt);
}

}  // namespace
}  // namespace tacho
