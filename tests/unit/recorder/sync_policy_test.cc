// When the spool is synced: never later than promised, never more often than the flash can bear.
#include "daemon/recorder/sync_policy.h"

#include <gtest/gtest.h>

#include "tests/unit/recorder/rows.h"

namespace tacho {
namespace {

TEST(SyncPolicyTest, NothingAppendedMeansNoSync) {
  SyncPolicy policy({});
  EXPECT_FALSE(policy.due().has_value());
  policy.Appended(Urgency::kCalm, At(1));
  policy.Synced(At(6));
  EXPECT_FALSE(policy.due().has_value());
}

TEST(SyncPolicyTest, CalmRecordsWaitFiveSecondsFromTheOldest) {
  SyncPolicy policy({});
  policy.Appended(Urgency::kCalm, At(1));
  policy.Appended(Urgency::kCalm, At(3));
  EXPECT_EQ(policy.due(), At(6));
  EXPECT_FALSE(policy.is_urgent());
}

TEST(SyncPolicyTest, EventIsSyncedAtOnce) {
  SyncPolicy policy({});
  policy.Appended(Urgency::kCalm, At(1));
  policy.Appended(Urgency::kNow, At(3));
  EXPECT_LE(*policy.due(), At(3));
  EXPECT_TRUE(policy.is_urgent());
}

TEST(SyncPolicyTest, FloodOfEventsSharesItsSyncs) {
  SyncPolicy policy({});
  policy.Appended(Urgency::kNow, At(3));
  policy.Synced(At(3));
  policy.Appended(Urgency::kNow, At(3.01));
  EXPECT_EQ(policy.due(), At(3.1));
}

TEST(SyncPolicyTest, AfterAnAlarmRecordsWaitOneSecondForAMinute) {
  SyncPolicy policy({});
  policy.Appended(Urgency::kAlarm, At(10));
  policy.Synced(At(10));
  policy.Appended(Urgency::kCalm, At(11));
  EXPECT_EQ(policy.due(), At(12));
  policy.Synced(At(12));
  policy.Appended(Urgency::kCalm, At(69.5));
  EXPECT_EQ(policy.due(), At(70.5));
  policy.Synced(At(70.5));
  policy.Appended(Urgency::kCalm, At(70.6));
  EXPECT_EQ(policy.due(), At(75.6));
}

}  // namespace
}  // namespace tacho
