// tacho-uplink: carries a robot's spool to the fleet server. The only program of a robot with a
// network and a key.
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <malloc.h>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "common/log.h"
#include "common/notify.h"
#include "common/posix_clock.h"
#include "common/text_file.h"
#include "common/watchdog.h"
#include "daemon/spool/posix_disk.h"
#include "daemon/uplink/doorbell.h"
#include "daemon/uplink/spool_source.h"
#include "daemon/uplink/uplink.h"
#include "daemon/uplink/uplink_config.h"
#include "rpc/cq_loop.h"
#include "rpc/grpc_link.h"

namespace tacho {

namespace {

constexpr const char* kDefaultConfig = "/etc/tacho/uplink.toml";
constexpr const char* kAgent = "tacho-uplink " TACHO_VERSION;
// With the goodbye's own 2 s it stays below the 5 s that a stop may take.
constexpr Nanos kDrainWithin = std::chrono::seconds(2);
constexpr Nanos kStatusInterval = std::chrono::seconds(30);

BootId ReadBootId(const std::filesystem::path& system_root) {
  const auto text = ReadTextFile(system_root / "proc/sys/kernel/random/boot_id");
  // A kernel without boot_id does not exist; a container may hide it, and all of its boots are one.
  return text.ok() ? BootId::Parse(*text).value_or(BootId{}) : BootId{};
}

std::uint64_t Random() {
  static std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

UplinkConfig ConfigOf(const UplinkSettings& settings) {
  UplinkConfig config;
  config.robot = settings.robot;
  config.boot = ReadBootId(settings.system_root);
  config.agent = kAgent;
  config.flush_interval = settings.flush_interval;
  config.look_interval = settings.flush_interval;  // rings only make it sooner
  config.backoff.most = settings.retry_at_most;
  return config;
}

std::string Counts(const Uplink& uplink, const Link& link) {
  const BacklogCounters& backlog = uplink.backlog_counters();
  return fmt::format("{} records acknowledged, {} batches in flight, {} records given up, {} bytes",
                     backlog.acknowledged, uplink.records_in_flight(), backlog.given_up,
                     link.bytes_on_wire());
}

std::string StateOf(const Uplink& uplink) {
  if (uplink.is_connected()) return "connected";
  return uplink.trouble().empty() ? "connecting" : "not connected: " + uplink.trouble();
}

// A task that the loop runs again and again.
class Repeated {
 public:
  Repeated(Scheduler& loop, Nanos interval, std::function<void()> task)
      : loop_(loop), interval_(interval), task_(std::move(task)) {
    if (interval_ > Nanos(0)) Run();
  }

 private:
  void Run() {
    task_();
    timer_ = loop_.After(interval_, [this] { Run(); });
  }

  Scheduler& loop_;
  const Nanos interval_;
  const std::function<void()> task_;
  std::unique_ptr<Scheduler::Timer> timer_;
};

void Serve(const UplinkSettings& settings) {
  PosixClock clock;
  PosixDisk disk;
  SpoolSource spool(settings.spool_folder, disk);
  CqLoop loop;
  const auto link = MakeGrpcLink(loop, settings.server);
  Uplink uplink(loop, clock, spool, *link, ConfigOf(settings), Random);
  bool is_stopping = false;
  const auto stop = [&] {
    if (std::exchange(is_stopping, true)) return;
    NotifyStopping();
    uplink.Stop(kDrainWithin, [&loop] { loop.Stop(); });
  };
  const Doorbell doorbell(
      settings.wake_socket,
      {[&](bool is_urgent) { loop.Post([&uplink, is_urgent] { uplink.Wake(is_urgent); }); },
       [&] { loop.Post(stop); }});
  const auto tell = [&] { NotifyStatus(StateOf(uplink) + "; " + Counts(uplink, *link)); };
  uplink.WhenStateChanges(tell);
  const Repeated status(loop, kStatusInterval, tell);
  const Watchdog watchdog(loop, [] { return true; });  // that the loop turns is all there is to ask
  uplink.Start();
  NotifyReady();
  Log(LogLevel::kInfo, fmt::format("the uplink of {} is running", settings.robot));
  loop.Run();
  Log(LogLevel::kInfo, "the uplink stopped; " + Counts(uplink, *link));
}

int Main(int argc, char** argv) {
  Doorbell::BlockSignals();
  std::signal(SIGPIPE, SIG_IGN);
  mallopt(M_ARENA_MAX, 1);
  QuietenRpc();
  CLI::App app("Carries this robot's records to the fleet server.", "tacho-uplink");
  std::string path = kDefaultConfig;
  app.add_option("--config", path, "configuration file")->capture_default_str();
  app.set_version_flag("--version", kAgent);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  const auto text = ReadTextFile(path);
  const auto settings = text.ok() ? ParseUplinkConfig(*text, path) : Status(*text.error());
  if (!settings.ok()) {
    fmt::print(stderr, "{}\n", settings.error()->message());
    return 2;
  }
  Serve(*settings);
  return EXIT_SUCCESS;
}

}  // namespace

}  // namespace tacho

int main(int argc, char** argv) {
  return tacho::Main(argc, argv);
}
