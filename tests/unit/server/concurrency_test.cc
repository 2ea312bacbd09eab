// Many robots at once, with questions in between: nothing lost, nothing twice. Run under TSan too.
#include <atomic>
#include <gtest/gtest.h>
#include <thread>

#include "tests/support/server_world.h"

namespace tacho {
namespace {

TEST(Concurrency, ManyRobotsAreStoredOnceWhileQuestionsAreAsked) {
  constexpr int kRobots = 4;
  constexpr int kBatches = 30;
  TempFolder folder;
  StoreConfig config;
  config.compaction.rows = 100;
  ServerWorld world(folder.path(), config);
  world.UseBudgets(
      "[[budget]]\nname = \"x\"\nmetric = \"temperature\"\nstatistic = \"p50\"\nmax = \"90 C\"\n");
  std::atomic<bool> is_done{false};
  std::vector<std::thread> threads;
  for (int robot = 0; robot < kRobots; ++robot) {
    threads.emplace_back([&, robot] {
      const std::string name = "rb" + std::to_string(robot);
      MadeBoot boot(static_cast<std::uint8_t>(robot + 1));
      auto stream = std::make_shared<FakeRobotStream>();
      Hello hello;
      hello.robot = name;
      hello.boot = boot.id();
      hello.clock.boot = At(1);
      world.ingest().OnHello(stream, hello, name);
      world.ingest().OnRecord(*stream, boot.DictionaryRecord());
      world.ingest().OnRecord(*stream, boot.Opened(1, "mission", At(1)));
      for (int i = 0; i < kBatches; ++i) {
        const Record batch = boot.Seconds(1 + 10 * i, 10);
        world.ingest().OnRecord(*stream, batch);
        if (i % 7 == 0) world.ingest().OnRecord(*stream, batch);
      }
      EXPECT_TRUE(stream->refusals().empty());
      world.ingest().OnGone(*stream);
    });
  }
  std::thread asker([&] {
    while (!is_done) {
      world.Ask("runs");
      world.Ask("check", Json::Object{{"run", "rb0@latest"}});
      world.writer->Post([](RunWriter& store) { EXPECT_TRUE(store.CompactSome(kTestDay).ok()); });
    }
  });
  for (std::thread& thread : threads)
    thread.join();
  world.Settle();
  is_done = true;
  asker.join();
  for (int robot = 0; robot < kRobots; ++robot) {
    EXPECT_EQ(world.store->CountsOf("rb" + std::to_string(robot)).stored, 2u + 10 * kBatches);
  }
  const Json run = world.Ask("check", Json::Object{{"run", "rb3@latest"}});
  EXPECT_EQ(run["budgets"].items()[0]["count"].AsInt(), 10 * kBatches);
}

TEST(Concurrency, AFullQueueHoldsTheSenderBackAndLosesNothing) {
  TempFolder folder;
  ServerWorld world(folder.path());
  StoreWriter narrow(*world.store, world.clock, {.queue_bytes = 600, .group_records = 2});
  MadeBoot boot;
  auto stream = std::make_shared<FakeRobotStream>();
  const auto submit = [&](Record record, Meaning meaning) {
    return narrow.Submit({{"rb12", std::move(record), std::move(meaning), kTestDay}, stream});
  };
  const Record dictionary = boot.DictionaryRecord();
  EXPECT_TRUE(submit(dictionary, DictionaryFacts{boot.hash()}));
  for (int i = 0; i < 50; ++i) {
    EXPECT_TRUE(
        submit(boot.Seconds(1 + 10 * i, 10), SummaryFacts{At(1 + 10 * i), At(10 + 10 * i), 10}));
  }
  narrow.Stop();
  EXPECT_EQ(world.store->CountsOf("rb12").stored, 501u);
  EXPECT_FALSE(submit(boot.Seconds(1000, 10), SummaryFacts{}));
}

TEST(Concurrency, AStoreThatCannotWriteEndsTheStreamsAndAcknowledgesNothing) {
  TempFolder folder;
  MadeBoot boot;
  {
    ServerWorld roomy(folder.path());
    auto stream = roomy.Call("rb12", boot.id());
    roomy.Send(*stream, {boot.DictionaryRecord(), boot.Seconds(1, 10)});
  }
  StoreConfig config;
  config.max_pages = 1;  // no file may grow any more
  ServerWorld full(folder.path(), config);
  auto stream = full.Call("rb12", boot.id());
  for (int i = 1; i < 200 && !stream->end(); ++i)
    full.Send(*stream, {boot.Seconds(1 + 10 * i, 10)});
  ASSERT_TRUE(stream->end().has_value());
  EXPECT_EQ(stream->end()->code(), Code::kUnavailable);
  EXPECT_NE(stream->end()->message().find("cannot store"), std::string::npos);
  const auto stored = full.store->CommittedOf({"rb12", boot.Stream(Tier::kSummaries)});
  EXPECT_EQ(stream->acks().back().ranges, stored);
}

}  // namespace
}  // namespace tacho
