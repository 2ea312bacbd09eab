// Puts the recorder together, starts it, and ends it in order.
#include "daemon/recorder/tachod.h"

#include <utility>

#include "common/log.h"
#include "daemon/recorder/boot_identity.h"

namespace tacho {
namespace {

using namespace std::chrono_literals;

// A read that does not return by then will not return in time: what it brings is given up.
constexpr Nanos kSamplersMayTake = 1s;
constexpr Nanos kStopLooks = 20ms;
constexpr const char* kRunFile = "run.json";

std::unique_ptr<FlightRing> OpenFlight(FlightConfig config, BootId boot, SoleRecorder& sole) {
  if (!config.file.empty() && !sole.Claim()) {
    Log(LogLevel::kWarning, "another recorder is at work on " + sole.folder().string() +
                                ": this one keeps its flight ring in memory only");
    config.file.clear();
  }
  Status why;
  auto ring = FlightRing::Open(config, boot, why);
  if (!why.ok()) Log(LogLevel::kWarning, why.message());
  return ring;
}

RunFile RunFileOf(const RecorderConfig& config) {
  std::vector<std::filesystem::path> places = {config.spool.folder / kRunFile};
  if (!config.flight.file.empty()) places.push_back(config.flight.file.parent_path() / kRunFile);
  return RunFile(std::move(places));
}

bool IsSame(const SpoolConfig& a, const SpoolConfig& b) {
  return a.folder == b.folder && a.max_bytes == b.max_bytes && a.segment_bytes == b.segment_bytes &&
         a.ram_bytes == b.ram_bytes;
}

// Three sweeps, and the time it takes to see that one is stuck and to go on without it.
Nanos SweepWithin(Nanos period) {
  return 3 * period + 10s;
}

}  // namespace

Tachod::Tachod(TachodWorld world, RecorderConfig config)
    : world_(std::move(world)),
      config_(std::move(config)),
      boot_(ReadBootId(config_.system_root, world_.random(), world_.random())),
      started_(world_.clock.Boot()),
      sole_(config_.spool.folder),
      board_(world_.clock, config_, world_.agent),
      flight_(OpenFlight(config_.flight, boot_, sole_)),
      wake_(config_.wake_socket),
      spool_(world_.clock, world_.loop, static_cast<std::size_t>(config_.queue_bytes),
             [this] { return OpenSpool(); }),
      recorder_({world_.clock, board_.channels(), board_.intake(), *flight_, spool_,
                 board_.tegrastats(), board_.sources(), &sole_},
                RunFileOf(config_), boot_, config_.telemetry_period),
      desk_(recorder_, board_.sources(), config_, world_.agent),
      liveness_(SweepWithin(config_.period), config_.stuck_after) {}

// Spool thread.
std::unique_ptr<SpoolWorker> Tachod::OpenSpool() {
  const BootTime now = world_.clock.Boot();
  auto writer = SpoolWriter::Open(config_.spool, world_.disk, boot_, world_.random, now);
  BootReport report;
  report.agent = world_.agent;
  report.recorder_started = started_;
  return std::make_unique<SpoolWorker>(
      std::move(writer), config_.sync, std::move(report),
      [this](bool is_urgent) { wake_.Wake(is_urgent); }, now);
}

void Tachod::Start() {
  // The board says nothing new at its first look, ignored since there is nothing to compare with.
  (void)board_.setup().Look(world_.clock.Boot());
  recorder_.Start();
  spool_.Start();
  board_.intake().Start(started_);
  desk_.Open(config_.local_socket);
  timer_ = world_.loop.After(Recorder::kTick, [this] { Tend(); });
}

void Tachod::Tend() {
  timer_ = world_.loop.After(Recorder::kTick, [this] { Tend(); });
  const BootTime now = world_.clock.Boot();
  for (const Event& event : board_.setup().Look(now)) {
    recorder_.AddEvent(event);
  }
  recorder_.Tick();
  desk_.Tick(now);
}

void Tachod::Reload(const RecorderConfig& config) {
  board_.setup().SetLabels(config.setup);
  spool_.Replace(config.sync);
  for (const std::string& table : NeedsRestart(config_, config)) {
    Log(LogLevel::kWarning, table + " changed in the configuration, which takes a restart");
  }
  config_.setup = config.setup;
}

void Tachod::Stop(std::function<void()> on_stopped) {
  desk_.Close();
  board_.intake().Stop();
  const BootTime until = world_.clock.Boot() + kSamplersMayTake;
  const auto has_ended = [this] { return board_.intake().has_ended(); };
  Await(has_ended, until, [this, on_stopped = std::move(on_stopped)] {
    recorder_.Stop();
    Await([this] { return spool_.has_ended(); }, BootTime::max(), on_stopped);
  });
}

void Tachod::Await(std::function<bool()> is_done, BootTime until, std::function<void()> then) {
  if (is_done() || world_.clock.Boot() >= until) {
    timer_.reset();
    return then();
  }
  timer_ = world_.loop.After(kStopLooks, [this, is_done = std::move(is_done), until,
                                          then = std::move(then)] { Await(is_done, until, then); });
}

bool Tachod::IsAlive() {
  const SamplerPool& samplers = board_.intake().samplers();
  return liveness_.IsAlive({.sweeps = samplers.counters().sweeps,
                            .has_sources = !samplers.slots().empty(),
                            .spool_busy_since = spool_.busy_since()},
                           world_.clock.Boot());
}

std::vector<std::string> NeedsRestart(const RecorderConfig& now, const RecorderConfig& wanted) {
  std::vector<std::string> tables;
  const auto compare = [&](bool is_same, const char* table) {
    if (!is_same) tables.emplace_back(table);
  };
  compare(now.system_root == wanted.system_root, "system_root");
  compare(now.period == wanted.period && now.telemetry_period == wanted.telemetry_period,
          "[sampler]");
  compare(now.sources == wanted.sources, "[source]");
  compare(now.tegrastats == wanted.tegrastats, "[feed.tegrastats]");
  compare(IsSame(now.spool, wanted.spool) && now.queue_bytes == wanted.queue_bytes &&
              now.stuck_after == wanted.stuck_after,
          "[spool] beside sync");
  compare(now.flight == wanted.flight, "[flight]");
  compare(now.local_socket == wanted.local_socket, "[local]");
  compare(now.wake_socket == wanted.wake_socket, "[wake]");
  return tables;
}

}  // namespace tacho
