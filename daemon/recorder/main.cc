// tachod: samples the board and keeps what it measured, with no network.
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <malloc.h>
#include <random>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "common/asio_scheduler.h"
#include "common/log.h"
#include "common/notify.h"
#include "common/posix_clock.h"
#include "common/text_file.h"
#include "common/watchdog.h"
#include "daemon/recorder/tachod.h"
#include "daemon/recorder/wall_step.h"
#include "daemon/spool/posix_disk.h"

namespace tacho {
namespace {

using namespace std::chrono_literals;

constexpr const char* kDefaultConfig = "/etc/tacho/tachod.toml";
// systemd gives ten; what is not written by then waits for a disk that does not answer.
constexpr Nanos kStopWithin = 4500ms;

std::uint64_t Random() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

std::vector<std::string> KnownSources() {
  std::vector<std::string> names;
  for (const SourceKind* kind : AllSourceKinds())
    names.emplace_back(kind->name);
  return names;
}

// Only the default file may be missing: then the defaults hold.
Result<RecorderConfig> LoadConfig(const std::string& path, bool is_given) {
  const auto text = ReadTextFile(path);
  if (!text.ok() && text.error()->code() == Code::kNotFound && !is_given) return RecorderConfig{};
  if (!text.ok()) return *text.error();
  return ParseRecorderConfig(*text, path, KnownSources());
}

bool IsAlive(Tachod& tachod) {
  if (tachod.IsAlive()) return true;
  Log(LogLevel::kError, "sweeps or the spool hang: systemd will restart the recorder");
  return false;
}

void Reload(Tachod& tachod, const std::string& path, bool is_given) {
  NotifyReloading();
  const auto config = LoadConfig(path, is_given);
  if (config.ok()) {
    tachod.Reload(*config);
  } else {
    LogLines(LogLevel::kError, config.error()->message());
    Log(LogLevel::kError, "the configuration stays as it was");
  }
  NotifyReady();
}

int Serve(RecorderConfig config, const std::string& path, bool is_given) {
  AsioScheduler loop;
  const PosixClock clock;
  PosixDisk disk;
  WallStep wall_step;
  Tachod tachod({clock, loop, disk, Random, "tachod " TACHO_VERSION}, std::move(config));

  std::unique_ptr<AsioScheduler::Watch> local;
  std::unique_ptr<Scheduler::Timer> give_up;
  const auto stop = [&] {
    if (give_up) return;
    NotifyStopping();
    local.reset();  // before its descriptor closes
    give_up = loop.After(kStopWithin, [&] { loop.Stop(); });
    tachod.Stop([&] { loop.Stop(); });
  };
  loop.OnSignal(SIGTERM, stop);
  loop.OnSignal(SIGINT, stop);
  loop.OnSignal(SIGHUP, [&] { Reload(tachod, path, is_given); });

  tachod.Start();
  if (tachod.desk().descriptor() >= 0) {
    local = loop.WhenReadable(tachod.desk().descriptor(), [&] { tachod.desk().Serve(); });
  }
  std::unique_ptr<AsioScheduler::Watch> steps;
  if (wall_step.descriptor() >= 0) {
    steps = loop.WhenReadable(wall_step.descriptor(), [&] {
      wall_step.Rearm();
      tachod.recorder().LookAtClock();
    });
  }
  const Watchdog watchdog(loop, [&] { return IsAlive(tachod); });
  NotifyReady();
  Log(LogLevel::kInfo, "the recorder is running");
  loop.Run();

  if (!tachod.MayBeDestroyed()) {
    Log(LogLevel::kWarning, "the recorder ends although a read or the disk does not return");
    std::_Exit(EXIT_SUCCESS);  // waiting for it could take for ever
  }
  return EXIT_SUCCESS;
}

int Main(int argc, char** argv) {
  // One arena: five threads that hardly allocate need no more, and each would hold pages.
  ::mallopt(M_ARENA_MAX, 1);
  std::signal(SIGPIPE, SIG_IGN);
  CLI::App app("Records how a robot's board performs, with no network.", "tachod");
  std::string path = kDefaultConfig;
  bool is_check = false;
  const CLI::Option* given = app.add_option("--config", path, "Configuration file, TOML");
  app.add_flag("--check", is_check, "Only say whether the configuration is right");
  app.set_version_flag("--version", "tachod " TACHO_VERSION);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  const bool is_given = given->count() > 0;
  auto config = LoadConfig(path, is_given);
  if (!config.ok()) {
    fmt::print(stderr, "{}\n", config.error()->message());
    return 2;
  }
  if (is_check) {
    // LoadConfig passes over a default file that is not there, and nothing else.
    const bool is_there = std::filesystem::exists(path);
    fmt::print("{}: {}\n", path, is_there ? "ok" : "not there, so all defaults hold");
    return 0;
  }
  if (LocalSocket::IsServed(config->local_socket)) {
    fmt::print(stderr, "another recorder is running: it answers at {}\n",
               config->local_socket.string());
    return 1;
  }
  return Serve(*std::move(config), path, is_given);
}

}  // namespace
}  // namespace tacho

int main(int argc, char** argv) {
  return tacho::Main(argc, argv);
}
