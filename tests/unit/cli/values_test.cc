// Values in the words of people, and exact for programs.
#include "cli/values.h"

#include <gtest/gtest.h>
#include <limits>

namespace tacho {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

struct QuantityCase {
  double value;
  const char* unit;
  const char* text;
};

TEST(FormatQuantity, ScalesToTheUnitPeopleUse) {
  const QuantityCase cases[] = {
      {0.0816, "s", "81.6 ms"}, {12.5, "s", "12.5 s"},     {0.00004, "s", "40 us"},
      {0, "s", "0 s"},          {-0.25, "s", "-250 ms"},   {1.3005e9, "Hz", "1.3 GHz"},
      {0, "Hz", "0 Hz"},        {67108864, "B", "64 MiB"}, {0.987, "ratio", "98.7 %"},
      {27.9, "W", "27.9 W"},    {0.35, "W", "350 mW"},     {71.25, "C", "71.25 C"},
      {41233, "", "41233"},     {123456.7, "", "123457"},  {0.5, "furlong", "0.5 furlong"},
      {1e300, "", "1e+300"},    {999.96, "W", "1000 W"},   {0.000416, "s/s", "0.000416 s/s"},
      {1e-5, "C", "0.00001 C"}, {4e-7, "", "4e-07"},       {0.0004, "ratio", "0.04 %"},
  };
  for (const auto& [value, unit, text] : cases) {
    EXPECT_EQ(FormatQuantity(value, unit), text) << value << ' ' << unit;
  }
}

TEST(FormatApart, ShowsAsManyDigitsAsTellTwoValuesApart) {
  const auto [value, limit] = FormatApart(0.090004, 0.09, "s");
  EXPECT_EQ(value, "90.004 ms");
  EXPECT_EQ(limit, "90 ms");
}

TEST(FormatApart, KeepsTheDigitsOfAValueFarBelowItsLimit) {
  const auto [value, limit] = FormatApart(0.0004163, 0.01, "s/s");
  EXPECT_EQ(value, "0.0004163 s/s");
  EXPECT_EQ(limit, "0.01 s/s");
}

TEST(FormatApart, EndsForValuesThatNoTextTellsApart) {
  const auto [first, second] = FormatApart(1, 1 + 1e-15, "");
  EXPECT_EQ(first, second);
}

TEST(FormatShare, NeverCallsWholeWhatIsNotNorNothingWhatIsSomething) {
  EXPECT_EQ(FormatShare(1), "100 %");
  EXPECT_EQ(FormatShare(0.99999999), "99.9 %");
  EXPECT_EQ(FormatShare(1 - 1e-15), "99.9 %");
  EXPECT_EQ(FormatShare(0.987), "98.7 %");
  EXPECT_EQ(FormatShare(0.0025), "0.2 %");
  EXPECT_EQ(FormatShare(0.0004), "<0.1 %");
  EXPECT_EQ(FormatShare(0), "0 %");
}

TEST(FormatShare, RoundsAsTheServersSentencesDo) {
  EXPECT_EQ(FormatShare(0.8046), "80.5 %");
  EXPECT_EQ(FormatShare(0.8044), "80.4 %");
  EXPECT_EQ(FormatShare(0.9), "90 %");
}

TEST(FormatDuration, UsesTwoUnitsAtMost) {
  EXPECT_EQ(FormatDuration(0.41), "0.41s");
  EXPECT_EQ(FormatDuration(41.25), "41.2s");
  EXPECT_EQ(FormatDuration(200), "3m20s");
  EXPECT_EQ(FormatDuration(18720), "5h12m");
  EXPECT_EQ(FormatDuration(302400), "3d12h");
  EXPECT_EQ(FormatDuration(-200), "-3m20s");
  EXPECT_EQ(FormatDuration(1e30), "1e+30s");
}

TEST(FormatIso, KeepsEveryNanosecondThatThereIs) {
  EXPECT_EQ(FormatIso(WallTimeOf(0)), "1970-01-01T00:00:00Z");
  EXPECT_EQ(FormatIso(WallTimeOf(1795867200 * kSecond + 250'000'000)), "2026-11-28T12:00:00.25Z");
  EXPECT_EQ(FormatIso(WallTimeOf(1)), "1970-01-01T00:00:00.000000001Z");
  EXPECT_EQ(FormatIso(WallTimeOf(-1)), "1969-12-31T23:59:59.999999999Z");
}

TEST(FormatIso, HoldsAtBothEndsOfTheClock) {
  EXPECT_EQ(FormatIso(WallTimeOf(std::numeric_limits<std::int64_t>::max())),
            "2262-04-11T23:47:16.854775807Z");
  EXPECT_EQ(FormatIso(WallTimeOf(std::numeric_limits<std::int64_t>::min())),
            "1677-09-21T00:12:43.145224192Z");
}

TEST(TimeCell, MarksTheTimesNobodyVouchesFor) {
  EXPECT_EQ(TimeCell(31 * kSecond, "never").shown, "~1970-01-01 00:00:31");
  EXPECT_EQ(TimeCell(31 * kSecond, "rtc").shown, "~1970-01-01 00:00:31");
  EXPECT_EQ(TimeCell(31 * kSecond, "").shown, "~1970-01-01 00:00:31");
  for (const char* trust : {"server", "ntp", "gps"}) {
    EXPECT_EQ(TimeCell(31 * kSecond, trust).shown, "1970-01-01 00:00:31");
  }
  EXPECT_EQ(TimeCell(31 * kSecond, "never").raw, "1970-01-01T00:00:31Z");
}

TEST(AgeCell, IsNowJustAheadAndTheTimeItselfFarAhead) {
  const WallTime now = WallTimeOf(1795867200 * kSecond);
  EXPECT_EQ(AgeCell(Count(now) - 3 * kSecond, now).shown, "3s ago");
  EXPECT_EQ(AgeCell(Count(now) + 3 * kSecond, now).shown, "now");
  EXPECT_EQ(AgeCell(Count(now) + 3 * kSecond, now).raw, "2026-11-28T12:00:03Z");
  EXPECT_EQ(AgeCell(Count(now) + 61 * kSecond, now).shown, "2026-11-28 12:01:01");
  EXPECT_TRUE(AgeCell(Json(), now).is_absent);
  EXPECT_FALSE(AgeCell(std::numeric_limits<std::int64_t>::min(), now).shown.empty());
}

TEST(Cells, OfNothingAreADashAndNeverZero) {
  const Json null;
  for (const TableCell& cell :
       {WordCell(null), CountCell(null), QuantityCell(null, "W"), ShareCell(null),
        TimeCell(null, "ntp"), DurationCell(null), LabelsCell(null), TextCell("")}) {
    EXPECT_TRUE(cell.is_absent);
    EXPECT_EQ(cell.shown, "-");
    EXPECT_EQ(cell.raw, "-");
  }
}

TEST(Cells, KeepTheExactNumberForPrograms) {
  EXPECT_EQ(QuantityCell(0.0816, "s").raw, "0.0816");
  EXPECT_EQ(QuantityCell(1e9, "Hz").raw, "1000000000");
  EXPECT_EQ(ShareCell(0.99996).raw, "0.99996");
}

}  // namespace
}  // namespace tacho
