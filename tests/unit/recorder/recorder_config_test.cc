// The configuration: defaults, every key, and mistakes that are all named at once.
#include "daemon/recorder/recorder_config.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

#include "collector/source.h"
#include "daemon/recorder/tachod.h"

namespace tacho {
namespace {

using namespace std::chrono_literals;

std::vector<std::string> Sources() {
  std::vector<std::string> names;
  for (const SourceKind* kind : AllSourceKinds())
    names.emplace_back(kind->name);
  return names;
}

Result<RecorderConfig> Parse(std::string_view text) {
  return ParseRecorderConfig(text, "tachod.toml", Sources());
}

std::string ReadSourceFile(const std::string& name) {
  std::ifstream file(std::string(TACHO_SOURCE_DIR) + "/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(RecorderConfigTest, EmptyFileGivesTheDefaults) {
  const auto config = Parse("");
  ASSERT_TRUE(config.ok());
  EXPECT_EQ(config->period, 1s);
  EXPECT_EQ(config->spool.folder, "/var/lib/tacho/spool");
  EXPECT_TRUE(NeedsRestart(*config, RecorderConfig{}).empty());
}

std::string Mistakes(std::string_view text) {
  const auto config = Parse(text);
  return config.ok() ? "" : config.error()->message();
}

TEST(RecorderConfigTest, OnePathForTwoThingsIsAMistakeInTheLaterLine) {
  const std::vector<std::string> places = {"[spool]\nfolder", "[flight]\nfile", "[local]\nsocket",
                                           "[wake]\nsocket"};
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = 0; j < places.size(); ++j) {
      if (i == j) continue;
      const std::string text = places[i] + " = \"/x/y\"\n" + places[j] + " = \"/x/./y\"\n";
      EXPECT_TRUE(Mistakes(text).starts_with("tachod.toml:4: [")) << text << Mistakes(text);
      EXPECT_NE(Mistakes(text).find("in line 2"), std::string::npos) << Mistakes(text);
    }
  }
  EXPECT_EQ(Mistakes("[local]\nsocket = \"/run/tacho/wake.sock\"\n"),
            "tachod.toml:2: [local] socket must not be the path of [wake] socket, which has it by "
            "default");
  EXPECT_EQ(Mistakes("[flight]\nfile = \"\"\n[wake]\nsocket = \"\"\n"), "")
      << "what is switched off has no path";
}

TEST(RecorderConfigTest, EveryKeyIsTaken) {
  const auto config = Parse(R"(
system_root = "/fixture"
[sampler]
period = "100ms"
telemetry = "5s"
[source.cpu]
enabled = false
[source.thermal]
period = "5s"
[feed.tegrastats]
enabled = true
program = "/opt/tegrastats"
file = "/log"
interval = "500ms"
replay_pace = "10ms"
[spool]
folder = "/spool"
max = "8MiB"
segment = "256KiB"
ram = "128KiB"
queue = "512KiB"
sync = "2s"
sync_after_alarm = "500ms"
stuck_after = "1m"
[flight]
file = "/flight"
size = "1MiB"
[local]
socket = "/r.sock"
[wake]
socket = "/w.sock"
[setup]
vehicle = "v7"
)");
  ASSERT_TRUE(config.ok()) << config.error()->message();
  EXPECT_EQ(config->system_root, "/fixture");
  EXPECT_EQ(config->period, 100ms);
  EXPECT_EQ(config->telemetry_period, 5s);
  EXPECT_FALSE(config->Source("cpu").is_enabled);
  EXPECT_EQ(config->Source("thermal").period, 5s);
  EXPECT_EQ(config->tegrastats.replay_pace, 10ms);
  EXPECT_EQ(config->tegrastats.file, "/log");
  EXPECT_EQ(config->spool.max_bytes, 8 << 20);
  EXPECT_EQ(config->spool.segment_bytes, 256 << 10);
  EXPECT_EQ(config->queue_bytes, 512 << 10);
  EXPECT_EQ(config->sync.alarm_period, 500ms);
  EXPECT_EQ(config->stuck_after, 1min);
  EXPECT_EQ(config->flight.bytes, 1 << 20);
  EXPECT_EQ(config->local_socket, "/r.sock");
  EXPECT_EQ(config->wake_socket, "/w.sock");
  EXPECT_EQ(config->setup.at("vehicle"), "v7");
  EXPECT_EQ(NeedsRestart(RecorderConfig{}, *config).size(), 8u);
}

TEST(RecorderConfigTest, AllMistakesAreNamedWithTheirLines) {
  const auto config = Parse(R"(sytem_root = "/"
[sampler]
period = "fast"
[source.cpuu]
enabled = true
[source.memory]
period = "1500ms"
[spool]
max = "1MiB"
segment = "1MiB"
)");
  ASSERT_FALSE(config.ok());
  EXPECT_EQ(config.error()->code(), Code::kInvalid);
  const std::string& text = config.error()->message();
  for (const char* line : {"tachod.toml:1:", "tachod.toml:3:", "tachod.toml:4:", "tachod.toml:7:",
                           "tachod.toml:10:"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << " in\n" << text;
  }
  EXPECT_NE(text.find("system_root"), std::string::npos) << text;
}

TEST(RecorderConfigTest, ExampleOfThePageIsRight) {
  const std::string page = ReadSourceFile("docs/recorder.md");
  const std::size_t begin = page.find("```toml\n");
  ASSERT_NE(begin, std::string::npos);
  const std::size_t start = begin + 8;
  const auto config = Parse(page.substr(start, page.find("\n```", start) - start));
  ASSERT_TRUE(config.ok()) << config.error()->message();
  EXPECT_FALSE(config->setup.empty());
}

TEST(RecorderConfigTest, SampleThatIsInstalledHoldsTheDefaults) {
  const auto config = Parse(ReadSourceFile("deploy/tachod.toml"));
  ASSERT_TRUE(config.ok()) << config.error()->message();
  EXPECT_TRUE(NeedsRestart(*config, RecorderConfig{}).empty());
}

// Each commented key of the sample, uncommented, must be known and must be the default.
TEST(RecorderConfigTest, CommentedKeysOfTheSampleAreTheDefaults) {
  std::string text = ReadSourceFile("deploy/tachod.toml");
  std::string uncommented;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find('\n', at);
    if (end == std::string::npos) end = text.size();
    std::string line = text.substr(at, end - at);
    if (line.starts_with("#") && !line.starts_with("# ")) line.erase(0, 1);
    uncommented += line + "\n";
    at = end + 1;
  }
  const auto config = Parse(uncommented);
  ASSERT_TRUE(config.ok()) << config.error()->message();
  EXPECT_EQ(NeedsRestart(*config, RecorderConfig{}), std::vector<std::string>{});
  EXPECT_EQ(config->sync.period, SyncConfig{}.period);
  EXPECT_EQ(config->sync.alarm_period, SyncConfig{}.alarm_period);
}

}  // namespace
}  // namespace tacho
