// The store: once, in full, after every kind of end.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "server/store/database.h"
#include "server/store/migrations.h"
#include "server/store/sqlite_run_store.h"
#include "tests/support/made_records.h"
#include "tests/support/temp_folder.h"

namespace tacho {
namespace {

constexpr WallTime kDay = WallTimeOf(1'800'000'000'000'000'000);
constexpr Nanos kOneDay = std::chrono::hours(24);

Arrival Arrived(const Record& record, WallTime received = kDay) {
  Arrival arrival{"rb12", record, UnknownFacts{}, received};
  switch (record.kind) {
    case RecordKind::kDictionary:
      arrival.meaning = DictionaryFacts{HashOf(record.payload)};
      break;
    case RecordKind::kRun:
      arrival.meaning = *DecodeRunChange(record.payload);
      break;
    case RecordKind::kEvent:
      arrival.meaning = *DecodeEvent(record.payload);
      break;
    case RecordKind::kClock:
      arrival.meaning = *DecodeClockPair(record.payload);
      break;
    case RecordKind::kGap:
      arrival.meaning = *DecodeGap(record.payload);
      break;
    default: {
      const auto blocks = DecodeBlocks(record.payload);
      const auto& times = blocks->front().times;
      arrival.meaning = SummaryFacts{times.front(), times.back(), times.size()};
    }
  }
  return arrival;
}

// Counts pieces and rows, and keeps the rows' times.
class Census final : public PieceVisitor {
 public:
  bool Wants(const StoredPiece&) override { return true; }
  Status Take(const StoredPiece&, std::span<const std::byte> payload) override {
    ++pieces;
    const auto blocks = DecodeBlocks(payload);
    if (!blocks.ok()) return *blocks.error();
    Append(rows, *blocks);
    return {};
  }
  std::size_t pieces = 0;
  std::vector<Block> rows;
};

// What the first schema said of the roster came from the configuration, which is read again.
TEST(StoreMigration, TakesOverAFileOfTheFirstSchema) {
  TempFolder folder;
  {
    auto main = Database::Open(folder.path() / "main.db", {true, 0});
    ASSERT_TRUE(main.ok());
    ASSERT_TRUE(Migrate(*main, MainScripts().first(1), kDay).ok());
    ASSERT_TRUE(main->Execute("INSERT INTO robots (robot, is_expected, added_wall_ns)"
                              " VALUES ('rb12', 1, 5);"
                              "INSERT INTO boots (robot, boot_id, first_receipt_wall_ns)"
                              " VALUES ('rb12', zeroblob(16), 7)")
                    .ok());
  }
  StoreConfig config;
  config.folder = folder.path();
  auto store = SqliteRunStore::Open(config, kDay);
  ASSERT_TRUE(store.ok()) << store.error()->message();
  const auto robots = (*store)->Robots();
  ASSERT_EQ(robots->size(), 1u);
  EXPECT_EQ(robots->front().added, WallTimeOf(5));
  EXPECT_EQ(robots->front().roster_by, RosterBy::kNobody);
  EXPECT_FALSE(robots->front().is_expected);
  const auto boots = (*store)->Boots("rb12");
  ASSERT_EQ(boots->size(), 1u);
  EXPECT_FALSE(boots->front().last_word.has_value());
  EXPECT_TRUE((*store)->Audit(1)->empty());
}

class StoreTest : public testing::Test {
 protected:
  StoreTest() { Reopen(); }

  void Reopen(StoreConfig config = {}) {
    store_.reset();
    config.folder = folder_.path();
    config.compaction.rows = 100;
    auto opened = SqliteRunStore::Open(config, kDay);
    ASSERT_TRUE(opened.ok()) << opened.error()->message();
    store_ = *std::move(opened);
  }
  Outcome Commit(const Record& record, WallTime received = kDay) {
    const Arrival arrival = Arrived(record, received);
    auto outcomes = store_->Commit(std::span(&arrival, 1));
    EXPECT_TRUE(outcomes.ok()) << outcomes.error()->message();
    return outcomes.ok() ? outcomes->front() : Outcome{};
  }
  Census Count() {
    Census census;
    EXPECT_TRUE(
        store_->VisitPieces({Boot(), Tier::kSummaries, BootTime{}, BootTime::max()}, census).ok());
    return census;
  }
  BootKey Boot() const { return {"rb12", boot_.id()}; }
  SeqRanges Committed() const {
    return store_->CommittedOf({"rb12", boot_.Stream(Tier::kSummaries)});
  }

  TempFolder folder_;
  MadeBoot boot_;
  std::unique_ptr<SqliteRunStore> store_;
};

TEST_F(StoreTest, RemembersItsCommittedRangesAfterAReopen) {
  Commit(boot_.DictionaryRecord());
  for (int i = 0; i < 10; ++i)
    Commit(boot_.Seconds(1 + 10 * i, 10));
  Record later = boot_.Seconds(200, 5);
  later.seqs.first = Seq{200};
  Commit(later);
  Commit(boot_.Lost(Tier::kSummaries, {Seq{150}, 10}, "evicted"));
  const SeqRanges before = Committed();
  Reopen();
  EXPECT_EQ(Committed(), before);
  EXPECT_EQ(before.list().size(), 3u);
  EXPECT_EQ(store_->CountsOf(Boot()).gaps, 10u);
}

// Cut and overwritten at many places: the store opens, and takes again what is gone.
TEST_F(StoreTest, SetsADamagedDayAsideAndGoesOn) {
  Commit(boot_.DictionaryRecord());
  Record old = boot_.Seconds(1, 50);
  Record fresh = boot_.Seconds(51, 50);
  Commit(old, kDay - kOneDay);
  Commit(fresh, kDay);
  store_.reset();
  const auto file = folder_.path() / FileNameOf(DayOf(kDay - kOneDay));
  const auto size = std::filesystem::file_size(file);
  ASSERT_GT(size, 4096u);
  for (std::uintmax_t at = 0; at < 4096; at += 512) {
    TempFolder copy;
    std::filesystem::copy(folder_.path(), copy.path());
    const auto victim = copy.path() / file.filename();
    {
      std::fstream out(victim, std::ios::in | std::ios::out | std::ios::binary);
      out.seekp(static_cast<std::streamoff>(at));
      out << std::string(2000, '\xA5');
    }
    StoreConfig config;
    config.folder = copy.path();
    auto opened = SqliteRunStore::Open(config, kDay);
    ASSERT_TRUE(opened.ok()) << at << ": " << opened.error()->message();
    const auto committed = (*opened)->CommittedOf({"rb12", boot_.Stream(Tier::kSummaries)});
    EXPECT_TRUE(committed.Contains(fresh.seqs)) << at;
    if (!std::filesystem::exists(victim)) {
      EXPECT_FALSE(committed.Overlaps(old.seqs)) << at;
      EXPECT_TRUE(std::filesystem::exists(victim.string() + ".damaged")) << at;
    }
  }
}

TEST_F(StoreTest, LeavesAFolderWithADaysNameAlone) {
  store_.reset();
  std::filesystem::create_directory(folder_.path() / "day-2026-01-01.db");
  Reopen();
  EXPECT_TRUE(std::filesystem::is_directory(folder_.path() / "day-2026-01-01.db"));
}

TEST_F(StoreTest, TakesARecordOnceHoweverOftenItComes) {
  const Record dictionary = boot_.DictionaryRecord();
  const Record batch = boot_.Seconds(1, 10);
  for (int i = 0; i < 3; ++i) {
    const Outcome expected{i == 0 ? Outcome::What::kStored : Outcome::What::kAlreadyThere, {}};
    EXPECT_EQ(Commit(dictionary).what, expected.what);
    EXPECT_EQ(Commit(batch).what, expected.what);
    Reopen();
  }
  EXPECT_EQ(Count().pieces, 1u);
}

TEST_F(StoreTest, DecidesWithinOneGroupAsIfOneCameAfterTheOther) {
  const Record batch = boot_.Seconds(1, 10);
  Record overlap = batch;
  overlap.seqs = {Seq{10}, 5};
  const std::vector<Arrival> group = {Arrived(boot_.DictionaryRecord()), Arrived(batch),
                                      Arrived(batch), Arrived(overlap)};
  const auto outcomes = store_->Commit(group);
  ASSERT_TRUE(outcomes.ok());
  EXPECT_EQ((*outcomes)[1].what, Outcome::What::kStored);
  EXPECT_EQ((*outcomes)[2].what, Outcome::What::kAlreadyThere);
  EXPECT_EQ((*outcomes)[3].what, Outcome::What::kRefused);
  EXPECT_EQ((*outcomes)[3].why.code(), Code::kExists);
}

TEST_F(StoreTest, CompactionKeepsEveryRowAndMark) {
  Commit(boot_.DictionaryRecord());
  for (int i = 0; i < 25; ++i)
    Commit(boot_.Seconds(1 + 10 * i, 10));
  const Census before = Count();
  const SeqRanges committed = Committed();
  for (bool more = true; more;) {
    const auto did = store_->CompactSome(kDay);
    ASSERT_TRUE(did.ok()) << did.error()->message();
    more = *did;
  }
  Census after = Count();
  EXPECT_EQ(before.pieces, 25u);
  EXPECT_EQ(after.pieces, 2u + 5u);  // two chunks of 100 rows; 50 rows wait for more
  ASSERT_EQ(after.rows.size(), 1u);
  EXPECT_EQ(after.rows[0], before.rows[0]);
  EXPECT_EQ(Committed(), committed);
  Reopen();
  EXPECT_EQ(Committed(), committed);
  EXPECT_EQ(Count().rows, before.rows);
}

TEST_F(StoreTest, CompactsWhatIsLeftOfAPastDay) {
  Commit(boot_.DictionaryRecord());
  for (int i = 0; i < 5; ++i)
    Commit(boot_.Seconds(1 + 10 * i, 10));
  const auto due = store_->CompactionDue(kDay + kOneDay);
  ASSERT_TRUE(due.ok());
  EXPECT_EQ(*due, std::vector{Boot()});
  for (bool more = true; more;)
    more = *store_->CompactSome(kDay + kOneDay);
  EXPECT_EQ(Count().pieces, 1u);
  EXPECT_TRUE(store_->CompactionDue(kDay + kOneDay)->empty());
}

TEST_F(StoreTest, RetiringADayKeepsItsMarks) {
  Commit(boot_.DictionaryRecord());
  const Record old = boot_.Seconds(1, 10);
  Commit(old);
  Commit(boot_.Seconds(11, 10), kDay + kOneDay);
  EXPECT_EQ(*store_->BootsBefore(kDay + kOneDay), std::vector{Boot()});
  ASSERT_TRUE(store_->Retire(kDay + kOneDay).ok());
  EXPECT_EQ(Count().pieces, 1u);
  EXPECT_TRUE(store_->HasRetired(Boot()));
  Reopen();
  EXPECT_EQ(Commit(old).what, Outcome::What::kAlreadyThere);
  EXPECT_EQ(Committed().through(), Seq{20});
  EXPECT_EQ(store_->Boots("rb12")->front().last_seen, At(20));
}

TEST_F(StoreTest, RetiringADayThinsSteadyClockPairsAndKeepsSteps) {
  Commit(boot_.DictionaryRecord());
  Commit(boot_.Seconds(1, 10));
  for (int minute = 0; minute < 120; ++minute) {
    const Nanos step = minute < 90 ? Nanos{0} : Nanos(std::chrono::hours(3));
    Commit(
        boot_.Pair(At(60 * minute), kDay + std::chrono::minutes(minute) + step, ClockTrust::kNtp));
  }
  ASSERT_TRUE(store_->Retire(kDay + kOneDay).ok());
  const auto pairs = store_->ClockPairs(Boot());
  ASSERT_TRUE(pairs.ok());
  ASSERT_EQ(pairs->size(), 3u);  // at 0 min, 60 min, and the step at 90 min
  EXPECT_EQ((*pairs)[2].boot, At(60 * 90));
}

TEST_F(StoreTest, AFullDiskLosesNothingThatWasAcknowledged) {
  Commit(boot_.DictionaryRecord());
  Commit(boot_.Seconds(1, 10));
  Reopen({.folder = {}, .compaction = {}, .max_pages = 1});  // no file may grow any more
  int stored = 1;
  Status failure;
  for (int i = 1; i < 200 && failure.ok(); ++i) {
    const Arrival arrival = Arrived(boot_.Seconds(1 + 10 * i, 10));
    const auto outcomes = store_->Commit(std::span(&arrival, 1));
    if (outcomes.ok()) {
      ++stored;
    } else {
      failure = *outcomes.error();
    }
  }
  EXPECT_EQ(failure.code(), Code::kExhausted);
  EXPECT_NE(failure.message().find("full"), std::string::npos) << failure.message();
  const auto expected = static_cast<std::uint64_t>(stored) * 10;
  EXPECT_EQ(Committed().count(), expected);
  Reopen();
  EXPECT_EQ(Committed().count(), expected);
  EXPECT_EQ(Count().rows[0].rows(), expected);
}

TEST_F(StoreTest, RunEndsComeInAnyOrder) {
  const Record opened = boot_.Opened(1, "mission", At(10));
  const Record closed = boot_.Closed(1, "mission", At(20), "command");
  Commit(closed);
  Commit(opened);
  const auto runs = store_->RunsOf(Boot());
  ASSERT_TRUE(runs.ok());
  ASSERT_EQ(runs->size(), 1u);
  EXPECT_EQ(runs->front().opened, At(10));
  EXPECT_EQ(runs->front().closed, At(20));
  EXPECT_EQ(runs->front().close_reason, "command");
}

TEST_F(StoreTest, KeepsBudgetTextsByVersion) {
  EXPECT_EQ(*store_->SaveBudgets("a", kDay), 1);
  EXPECT_EQ(*store_->SaveBudgets("a", kDay), 1);
  EXPECT_EQ(*store_->SaveBudgets("b", kDay), 2);
  EXPECT_EQ(*store_->SaveBudgets("a", kDay), 3);
}

TEST_F(StoreTest, KeepsRollupsAndVerdicts) {
  Commit(boot_.Opened(1, "idle", At(1)));
  const RunKey run{Boot(), 1};
  EXPECT_EQ(store_->RollupOf(run).error()->code(), Code::kNotFound);
  const std::vector<std::byte> payload = {std::byte{1}, std::byte{2}};
  ASSERT_TRUE(store_->SaveRollup(run, payload).ok());
  EXPECT_EQ(*store_->RollupOf(run), payload);
  ASSERT_TRUE(store_->SaveVerdict(run, {"f", "PASS", 0.5}).ok());
  EXPECT_EQ(store_->VerdictOf(run)->verdict, "PASS");
  EXPECT_EQ(store_->SaveRollup({Boot(), 9}, payload).code(), Code::kNotFound);
}

TEST(Migrations, RefuseAFileOfTheFuture) {
  TempFolder folder;
  {
    auto database = Database::Open(folder.path() / "main.db", {});
    ASSERT_TRUE(database.ok());
    ASSERT_TRUE(database->Execute("PRAGMA user_version = 999;").ok());
  }
  const auto opened = SqliteRunStore::Open({.folder = folder.path(), .compaction = {}}, kDay);
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error()->code(), Code::kUnsupported);
  EXPECT_NE(opened.error()->message().find("schema 999"), std::string::npos);
}

TEST(Migrations, ApplyWhatIsMissingOnce) {
  TempFolder folder;
  auto database = Database::Open(folder.path() / "x.db", {});
  ASSERT_TRUE(database.ok());
  constexpr SchemaScript kFirst[] = {{1, "CREATE TABLE a (x INTEGER) STRICT;"}};
  constexpr SchemaScript kBoth[] = {{1, "CREATE TABLE a (x INTEGER) STRICT;"},
                                    {2, "ALTER TABLE a ADD COLUMN y TEXT;"}};
  ASSERT_TRUE(Migrate(*database, kFirst, kDay).ok());
  ASSERT_TRUE(database->Execute("INSERT INTO a VALUES (7);").ok());
  ASSERT_TRUE(Migrate(*database, kBoth, kDay).ok());
  ASSERT_TRUE(Migrate(*database, kBoth, kDay).ok());
  auto query = database->Prepare("SELECT count(*), max(number) FROM migrations, a WHERE x = 7");
  ASSERT_TRUE(query.ok());
  ASSERT_TRUE((*query)->Step());
  EXPECT_EQ((*query)->Int(0), 2);
  EXPECT_EQ((*query)->Int(1), 2);
}

TEST(Migrations, LeaveAFileAsItWasWhereAScriptFails) {
  TempFolder folder;
  auto database = Database::Open(folder.path() / "x.db", {});
  ASSERT_TRUE(database.ok());
  constexpr SchemaScript kBroken[] = {{1, "CREATE TABLE a (x INTEGER) STRICT; NONSENSE;"}};
  constexpr SchemaScript kWhole[] = {{1, "CREATE TABLE a (x INTEGER) STRICT;"}};
  EXPECT_FALSE(Migrate(*database, kBroken, kDay).ok());
  EXPECT_TRUE(Migrate(*database, kWhole, kDay).ok());
}

}  // namespace
}  // namespace tacho
