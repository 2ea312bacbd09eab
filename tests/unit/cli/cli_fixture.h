// Runs a command of `tacho` against canned answers and compares what it prints with golden files.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/execute.h"
#include "tests/support/fake_fleet.h"
#include "tests/support/faulty_disk.h"

namespace tacho {

// A recorder that gives one answer and remembers the last request.
class FakeRecorder final : public RecorderClient {
 public:
  FakeRecorder(Result<Json> answer, Json& asked) : answer_(std::move(answer)), asked_(asked) {}
  Result<Json> Ask(const Json& request) override {
    asked_ = request;
    return answer_;
  }

 private:
  Result<Json> answer_;
  Json& asked_;
};

// 2026-11-28T12:00:00Z
inline constexpr std::int64_t kNow = 1795867200'000'000'000;

inline std::filesystem::path GoldenFolder() {
  return std::filesystem::path(TACHO_SOURCE_DIR) / "tests/golden/cli";
}

inline std::string ReadText(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// With TACHO_UPDATE_GOLDENS=1 the golden is written instead; review what git shows.
inline void ExpectGolden(const std::string& name, const std::string& text) {
  const std::filesystem::path path = GoldenFolder() / name;
  if (std::getenv("TACHO_UPDATE_GOLDENS") != nullptr) {  // NOLINT(concurrency-mt-unsafe)
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  ASSERT_TRUE(std::filesystem::exists(path)) << path << ": run once with TACHO_UPDATE_GOLDENS=1";
  EXPECT_EQ(ReadText(path), text) << "differs from " << path;
}

inline const Command& CommandNamed(std::string_view path) {
  for (const Command* command : AllCommands()) {
    if (command->path == path) return *command;
  }
  ADD_FAILURE() << "no command " << path;
  return *AllCommands().front();
}

struct Printed {
  int exit_code = 0;
  std::string out;
  std::string err;
  // Both, as a golden file keeps them.
  std::string All() const {
    return "exit " + std::to_string(exit_code) + "\n--- stdout\n" + out + "--- stderr\n" + err;
  }
};

class CliTest : public testing::Test {
 protected:
  using Given = std::vector<std::pair<std::string, std::string>>;

  CliTest() {
    context_.connect_fleet = [this]() -> Result<std::unique_ptr<FleetClient>> {
      return fleet_.Connect();
    };
    context_.connect_recorder = [this]() -> Result<std::unique_ptr<RecorderClient>> {
      return std::unique_ptr<RecorderClient>(
          std::make_unique<FakeRecorder>(recorder_answer_, recorder_asked_));
    };
  }

  // The answer kept in tests/golden/cli/answers/.
  static Json Canned(const std::string& name) {
    auto json = Json::Parse(ReadText(GoldenFolder() / "answers" / (name + ".json")));
    EXPECT_TRUE(json.ok()) << name;
    return json.ok() ? *json : Json();
  }

  Printed Tacho(std::string_view path, const Given& given = {}) {
    CommandArguments arguments;
    for (const auto& [name, value] : given) {
      arguments.Add(name, value);
    }
    std::ostringstream out;
    std::ostringstream err;
    const int code = Execute(CommandNamed(path), arguments, context_, out, err);
    return {code, out.str(), err.str()};
  }

  FakeFleet fleet_;
  Result<Json> recorder_answer_ = Status(Code::kUnavailable, "The recorder is not running here.");
  Json recorder_asked_;
  FaultyDisk disk_;
  CommandContext context_{.connect_fleet = {},
                          .server_origin = "the default",
                          .connect_recorder = {},
                          .spool_disk = disk_,
                          .now = WallTimeOf(kNow),
                          .patience = std::chrono::seconds(10),
                          .style = {.format = Format::kTable, .width = 100},
                          .version = "1.2.3"};
};

}  // namespace tacho
