// tacho-server: takes the fleet's streams in, keeps runs, judges them and answers.
#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

#include "common/asio_scheduler.h"
#include "common/log.h"
#include "common/notify.h"
#include "common/posix_clock.h"
#include "common/text_file.h"
#include "common/watchdog.h"
#include "rpc/fleet.h"
#include "server/answers.h"
#include "server/config.h"
#include "server/housekeeper.h"
#include "server/ingest.h"
#include "server/roster.h"
#include "server/store/sqlite_run_store.h"

namespace tacho {
namespace {

constexpr const char* kDefaultConfig = "/etc/tacho/server.toml";
constexpr int kExitConfig = 2;
// One commit or one answer. A disk that does not answer for so long is not the server's to wait
// for.
constexpr Nanos kWorkWithin = std::chrono::minutes(2);

Result<std::vector<Budget>> ReadBudgets(const std::filesystem::path& path, std::string& text) {
  if (path.empty()) return std::vector<Budget>();
  auto read = ReadTextFile(path);
  if (!read.ok()) return std::move(read).status();
  text = *std::move(read);
  return ParseBudgets(text, path.string());
}

IngestConfig IngestOf(const ServerConfig& config) {
  IngestConfig ingest;
  ingest.admits_any = config.admits_any;
  ingest.bytes_per_second = static_cast<double>(config.robot_bytes_per_second);
  ingest.burst_bytes = static_cast<double>(config.robot_burst_bytes);
  ingest.people = config.people;
  return ingest;
}

// Everything that lives while the server runs, in the order in which it starts.
class Server {
 public:
  Server(ServerConfig config, const std::string& file, std::unique_ptr<SqliteRunStore> store)
      : config_(std::move(config)),
        store_(std::move(store)),
        writer_(*store_, clock_, {.queue_bytes = static_cast<std::size_t>(config_.queue_bytes)}),
        rollups_(*store_),
        silence_(clock_, presence_, config_.silent_after),
        evaluator_(*store_, rollups_, budgets_, silence_,
                   [this](const RunKey& run, const VerdictRow& verdict) { Save(run, verdict); }),
        ingest_(clock_, *store_, writer_, presence_, IngestOf(config_)),
        roster_(clock_, *store_, writer_, ingest_, config_.people, file),
        answers_({clock_, *store_, rollups_, evaluator_, presence_, silence_, roster_},
                 config_.people),
        housekeeper_(loop_, clock_, *store_, writer_, presence_, rollups_, evaluator_, silence_,
                     {.retention = config_.retention}) {}

  Status Start(std::vector<Budget> budgets, std::string text) {
    TACHO_TRY(roster_.UseFile(config_.roster));
    TACHO_TRY(Use(std::move(budgets), std::move(text)));
    auto rpc = Listen(config_.listen, ingest_, answers_);
    if (!rpc.ok()) return std::move(rpc).status();
    rpc_ = *std::move(rpc);
    housekeeper_.Start();
    return {};
  }

  void Run() {
    loop_.OnSignal(SIGTERM, [this] { loop_.Stop(); });
    loop_.OnSignal(SIGINT, [this] { loop_.Stop(); });
    loop_.OnSignal(SIGHUP, [this] { Reload(); });
    watchdog_.emplace(loop_, [this] { return IsAlive(); });
    NotifyReady();
    Log(LogLevel::kInfo, "listening on " + config_.listen.address);
    loop_.Run();
    NotifyStopping();
    rpc_.reset();
    housekeeper_.NoteContacts();
    writer_.Stop();
    Log(LogLevel::kInfo, "stopped");
  }

 private:
  // Runs `change` on the writer's thread and waits for it. Before the loop runs, or on the loop.
  Status OnWriter(const std::function<Status(RunWriter&)>& change) {
    std::promise<Status> done;
    auto result = done.get_future();
    const bool is_queued = writer_.Post([&](RunWriter& store) { done.set_value(change(store)); });
    return is_queued ? result.get() : Status(Code::kCancelled, "the server is stopping");
  }

  Status Use(std::vector<Budget> budgets, std::string text) {
    Result<std::int64_t> version = Status(Code::kInternal, "not saved");
    TACHO_TRY(OnWriter([&](RunWriter& store) -> Status {
      version = store.SaveBudgets(text, clock_.Pair().wall);
      return version.ok() ? Status() : *version.error();
    }));
    budgets_.Set({*version, std::move(budgets)});
    return {};
  }

  void Reload() {
    NotifyReloading();
    std::string text;
    auto budgets = ReadBudgets(config_.budgets, text);
    Status status = budgets.ok() ? Use(*std::move(budgets), std::move(text)) : *budgets.error();
    if (status.ok()) {
      Log(LogLevel::kNotice, fmt::format("the budgets were read again: {} of them in {}",
                                         budgets_.Get()->budgets.size(), config_.budgets.string()));
    } else {
      LogLines(LogLevel::kError, status.message());
      Log(LogLevel::kError, "the budgets stay as they were");
    }
    NotifyReady();
  }

  void Save(const RunKey& run, const VerdictRow& verdict) {
    writer_.Post([run, verdict](RunWriter& store) {
      const Status saved = store.SaveVerdict(run, verdict);
      if (!saved.ok()) Log(LogLevel::kError, saved.message());
    });
  }

  // A writer or an answer that hangs must not be fed for.
  bool IsAlive() const {
    const BootTime now = clock_.Boot();
    const bool is_storing = IsWithin(writer_.busy_since(), now, "the store's writer");
    const bool is_answering = IsWithin(answers_.busy_since(), now, "the answer to a question");
    return is_storing && is_answering;
  }

  static bool IsWithin(std::optional<BootTime> since, BootTime now, std::string_view what) {
    if (!since || now - *since <= kWorkWithin) return true;
    Log(LogLevel::kError,
        fmt::format("{} has hung for {} s: systemd will restart the server", what,
                    std::chrono::duration_cast<std::chrono::seconds>(now - *since).count()));
    return false;
  }

  const ServerConfig config_;
  PosixClock clock_;
  AsioScheduler loop_;
  std::unique_ptr<SqliteRunStore> store_;
  StoreWriter writer_;
  RollupBook rollups_;
  BudgetBook budgets_;
  Presence presence_;
  Silence silence_;
  Evaluator evaluator_;
  Ingest ingest_;
  Roster roster_;
  Answers answers_;
  Housekeeper housekeeper_;
  std::optional<Watchdog> watchdog_;
  std::unique_ptr<RpcServer> rpc_;  // last: ends its calls before what they call dies
};

// The exit status.
int Serve(const std::string& path) {
  const auto text = ReadTextFile(path);
  auto config = text.ok() ? ParseServerConfig(*text, path) : Status(*text.error());
  if (!config.ok()) {
    fmt::print(stderr, "{}\n", config.error()->message());
    return kExitConfig;
  }
  std::string budgets_text;
  auto budgets = ReadBudgets(config->budgets, budgets_text);
  if (!budgets.ok()) {
    fmt::print(stderr, "{}\n", budgets.error()->message());
    return kExitConfig;
  }
  if (const Status open = CheckEndpoint(config->listen); !open.ok()) {
    fmt::print(stderr, "{}\n", open.message());
    return kExitConfig;
  }
  const CompactionConfig compaction{static_cast<std::uint64_t>(config->compaction_rows)};
  auto store = SqliteRunStore::Open({config->data, compaction, 0}, PosixClock().Pair().wall);
  if (!store.ok()) {
    fmt::print(stderr, "{}\n", store.error()->message());
    return EXIT_FAILURE;
  }
  Server server(*std::move(config), path, *std::move(store));
  if (Status failed = server.Start(*std::move(budgets), std::move(budgets_text)); !failed.ok()) {
    fmt::print(stderr, "{}\n", failed.message());
    return EXIT_FAILURE;
  }
  server.Run();
  return EXIT_SUCCESS;
}

int Main(int argc, char** argv) {
  CLI::App app("Takes the robots' streams in, keeps and judges their runs, and answers.",
               "tacho-server");
  std::string path = kDefaultConfig;
  app.add_option("--config", path, "configuration file")->capture_default_str();
  app.set_version_flag("--version", "tacho-server " TACHO_VERSION);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kExitConfig;
  }
  return Serve(path);
}

}  // namespace
}  // namespace tacho

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  return tacho::Main(argc, argv);
}
