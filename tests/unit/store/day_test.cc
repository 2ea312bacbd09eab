// Names of day files.
#include "server/store/day.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

TEST(Day, NamesItsFile) {
  EXPECT_EQ(FileNameOf(DayOf(WallTimeOf(0))), "day-1970-01-01.db");
  EXPECT_EQ(FileNameOf(DayOf(WallTimeOf(1'800'000'000'000'000'000))), "day-2027-01-15.db");
}

TEST(Day, ReadsOnlyItsOwnNames) {
  EXPECT_EQ(ParseDayFileName("day-2027-01-15.db"), DayOf(WallTimeOf(1'800'000'000'000'000'000)));
  for (const char* name : {"main.db", "day-2027-13-01.db", "day-2027-01-15.db-wal",
                           "day-2027-1-15.db", "xday-2027-01-15.db"}) {
    EXPECT_FALSE(ParseDayFileName(name).has_value()) << name;
  }
}

}  // namespace
}  // namespace tacho
