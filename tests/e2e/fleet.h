// A fleet server inside a test: the real store, ingest, answers and gRPC, on a unix socket.
#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>

#include "rpc/fleet.h"
#include "server/answers.h"
#include "server/ingest.h"
#include "server/store/sqlite_run_store.h"
#include "server/store_writer.h"

namespace tacho {

class TestFleet {
 public:
  // Everything is kept below `folder`, so that a second fleet there goes on where the first ended.
  TestFleet(const std::filesystem::path& folder, const Clock& clock, RpcLimits limits = {})
      : endpoint_{"unix:" + (folder / "server.sock").string(), {}},
        store_(OpenStore(folder / "server", clock)),
        rollups_(*store_),
        silence_(clock, presence_, std::chrono::minutes(5)),
        evaluator_(*store_, rollups_, budgets_, silence_, nullptr),
        writer_(*store_, clock, WriterConfig{}),
        ingest_(clock, *store_, writer_, presence_, IngestConfig{}),
        roster_(clock, *store_, writer_, ingest_, people_, "server.toml"),
        answers_({clock, *store_, rollups_, evaluator_, presence_, silence_, roster_}, people_) {
    auto server = Listen(endpoint_, ingest_, answers_, limits);
    EXPECT_TRUE(server.ok()) << server.error()->message();
    server_ = *std::move(server);
  }
  ~TestFleet() {
    server_.reset();
    writer_.Stop();
  }

  const Endpoint& endpoint() const { return endpoint_; }
  RunReader& store() { return *store_; }
  StoreWriter& writer() { return writer_; }
  BudgetBook& budgets() { return budgets_; }

  // Asks as the command line does: over gRPC.
  Json Ask(const std::string& question, Json::Object arguments) {
    auto client = ConnectFleet(endpoint_);
    EXPECT_TRUE(client.ok());
    auto answer = (*client)->Ask(question, Json(std::move(arguments)), std::chrono::seconds(30));
    EXPECT_TRUE(answer.ok()) << question << ": " << answer.error()->message();
    return answer.ok() ? *std::move(answer) : Json();
  }

 private:
  static std::unique_ptr<SqliteRunStore> OpenStore(const std::filesystem::path& folder,
                                                   const Clock& clock) {
    StoreConfig config;
    config.folder = folder;
    auto store = SqliteRunStore::Open(config, clock.Pair().wall);
    EXPECT_TRUE(store.ok()) << store.error()->message();
    return *std::move(store);
  }

  const Endpoint endpoint_;
  std::unique_ptr<SqliteRunStore> store_;
  RollupBook rollups_;
  BudgetBook budgets_;
  Presence presence_;
  Silence silence_;
  Evaluator evaluator_;
  StoreWriter writer_;
  Ingest ingest_;
  const People people_;
  Roster roster_;
  Answers answers_;
  std::unique_ptr<RpcServer> server_;
};

}  // namespace tacho
