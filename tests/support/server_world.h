// A fleet server in one folder, without a network: streams are fakes, the clock is cranked by hand.
#pragma once

#include <future>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/answers.h"
#include "server/ingest.h"
#include "server/store/sqlite_run_store.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_robot_stream.h"
#include "tests/support/made_records.h"
#include "tests/support/temp_folder.h"

namespace tacho {

inline constexpr WallTime kTestDay = WallTimeOf(1'800'000'000'000'000'000);

class ServerWorld {
 public:
  explicit ServerWorld(const std::filesystem::path& folder, StoreConfig config = {},
                       IngestConfig ingest = {})
      : ingest_config_(std::move(ingest)) {
    clock.SetWall(kTestDay);
    config.folder = folder;
    auto opened = SqliteRunStore::Open(config, clock.Pair().wall);
    if (!opened.ok()) {
      ADD_FAILURE() << opened.error()->message();
      std::abort();
    }
    store = *std::move(opened);
    writer = std::make_unique<StoreWriter>(*store, clock, WriterConfig{});
    rollups = std::make_unique<RollupBook>(*store);
    evaluator = std::make_unique<Evaluator>(*store, *rollups, budgets, silence, Evaluator::Save());
    ingest_ = std::make_unique<Ingest>(clock, *store, *writer, presence, ingest_config_);
    roster = std::make_unique<Roster>(clock, *store, *writer, *ingest_, ingest_config_.people,
                                      "server.toml");
    answers = std::make_unique<Answers>(
        QueryContext{clock, *store, *rollups, *evaluator, presence, silence, *roster},
        ingest_config_.people);
  }
  ~ServerWorld() { writer->Stop(); }

  Ingest& ingest() { return *ingest_; }

  std::shared_ptr<FakeRobotStream> Call(const std::string& robot, const BootId& boot,
                                        std::uint64_t counter = 0, std::string peer = "",
                                        std::vector<StreamKey> streams = {}) {
    Hello hello = HelloOf(robot, boot);
    hello.boot_counter = counter;
    hello.streams = std::move(streams);
    return Call(hello, std::move(peer));
  }
  std::shared_ptr<FakeRobotStream> Call(const Hello& hello, std::string peer = "") {
    auto stream = std::make_shared<FakeRobotStream>();
    ingest_->OnHello(stream, hello, std::move(peer));
    Settle();
    return stream;
  }
  static Hello HelloOf(const std::string& robot, const BootId& boot) {
    Hello hello;
    hello.robot = robot;
    hello.boot = boot;
    hello.agent = "tacho-uplink test";
    hello.clock = {At(100), kTestDay, ClockTrust::kNever};
    return hello;
  }

  void Send(FakeRobotStream& stream, const std::vector<Record>& records) {
    for (const Record& record : records)
      ingest_->OnRecord(stream, record);
    Settle();
  }

  // Returns once all that was queued for the writer is done.
  void Settle() {
    std::promise<void> done;
    if (!writer->Post([&](RunWriter&) { done.set_value(); })) return;
    done.get_future().wait();
  }
  // Runs `change` on the writer's thread.
  void OnWriter(const std::function<void(RunWriter&)>& change) {
    writer->Post(change);
    Settle();
  }

  void UseBudgets(const std::string& text) {
    auto parsed = ParseBudgets(text, "budgets.toml");
    ASSERT_TRUE(parsed.ok()) << parsed.error()->message();
    budgets.Set({++budgets_version_, *std::move(parsed)});
  }
  Json Ask(const std::string& question, Json arguments = Json::Object{},
           const std::string& asker = "") {
    auto answer = answers->Answer(question, arguments, asker);
    if (!answer.ok()) return Json::Object{{"error", answer.error()->message()}};
    return *std::move(answer);
  }

  FakeClock clock{At(1000)};
  Presence presence;
  Silence silence{clock, presence, std::chrono::minutes(5)};
  BudgetBook budgets;
  std::unique_ptr<SqliteRunStore> store;
  std::unique_ptr<StoreWriter> writer;
  std::unique_ptr<RollupBook> rollups;
  std::unique_ptr<Evaluator> evaluator;
  std::unique_ptr<Roster> roster;
  std::unique_ptr<Answers> answers;

 private:
  IngestConfig ingest_config_;
  std::unique_ptr<Ingest> ingest_;
  std::int64_t budgets_version_ = 0;
};

}  // namespace tacho
