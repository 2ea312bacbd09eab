// Pauses between attempts double, with jitter, up to a ceiling.
#include "daemon/uplink/backoff.h"

#include <gtest/gtest.h>

namespace tacho {

namespace {

using std::chrono::minutes;
using std::chrono::seconds;

TEST(Backoff, DrawsFromNothingUpToADoublingCeiling) {
  std::uint64_t draw = 0;
  Backoff backoff({}, [&draw] { return draw; });
  for (const Nanos ceiling : {seconds(1), seconds(2), seconds(4), seconds(8)}) {
    draw = static_cast<std::uint64_t>(ceiling.count());
    EXPECT_EQ(backoff.Next(), ceiling);
  }
  draw = 0;
  EXPECT_EQ(backoff.Next(), Nanos(0));
}

TEST(Backoff, NeverDrawsMoreThanItsLimit) {
  Backoff backoff({}, [] { return ~std::uint64_t{0}; });
  for (int i = 0; i < 100; ++i) {
    EXPECT_LE(backoff.Next(), minutes(5));
    EXPECT_LE(backoff.NextHopeless(), minutes(5));
    EXPECT_GE(backoff.NextHopeless(), minutes(5) / 2);
  }
}

TEST(Backoff, StartsAgainAfterAReset) {
  std::uint64_t draw = 0;
  Backoff backoff({}, [&draw] { return draw; });
  for (int i = 0; i < 9; ++i) {
    EXPECT_EQ(backoff.Next(), Nanos(0));
  }
  backoff.Reset();
  draw = static_cast<std::uint64_t>(Nanos(seconds(1)).count());
  EXPECT_EQ(backoff.Next(), seconds(1));
}

}  // namespace

}  // namespace tacho
