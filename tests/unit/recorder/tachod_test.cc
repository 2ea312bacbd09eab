// The program itself, on fixture boards: start, signals, death and what the spool then holds.
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <vector>

#include "common/codec/block.h"
#include "common/dictionary.h"
#include "common/json.h"
#include "daemon/recorder/flight_frame.h"
#include "daemon/spool/posix_disk.h"
#include "tests/support/child_program.h"
#include "tests/support/spool_world.h"
#include "tests/support/temp_folder.h"

namespace tacho {
namespace {

constexpr const char* kBootId = "0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9";

std::filesystem::path Board(const std::string& name) {
  return std::filesystem::path(TACHO_SOURCE_DIR) / "tests/boards" / name;
}

class TachodTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(program_)) GTEST_SKIP() << "tachod is not built";
  }
  std::filesystem::path Path(const std::string& name) const { return folder_.path() / name; }

  // A copy of a board that has a boot_id, so that restarts are of one boot.
  std::filesystem::path BoardOfOneBoot(const std::string& name) {
    const auto root = Path("root");
    std::filesystem::copy(Board(name), root, std::filesystem::copy_options::recursive);
    const auto random = root / "proc/sys/kernel/random";
    std::filesystem::create_directories(random);
    std::ofstream(random / "boot_id") << kBootId << "\n";
    return root;
  }
  void WriteConfig(const std::filesystem::path& root, const std::string& more = "") {
    std::ofstream file(Path("tachod.toml"));
    file << "system_root = " << root << "\n"
         << "[sampler]\nperiod = \"100ms\"\n[spool]\nfolder = " << Path("spool")
         << "\nmax = \"4MiB\"\n[flight]\nfile = " << Path("flight") << "\nsize = \"256KiB\"\n"
         << "[local]\nsocket = " << Path("r.sock") << "\n[wake]\nsocket = " << Path("w.sock")
         << "\n[feed.tegrastats]\nenabled = false\n"
         << more;
  }
  std::unique_ptr<ChildProgram> Start(std::vector<std::string> environment = {}) {
    return std::make_unique<ChildProgram>(
        std::vector<std::string>{program_, "--config", Path("tachod.toml").string()}, Path("log"),
        std::move(environment));
  }
  // One line to the recorder and the line it answers; null while it is not there.
  Json Ask(const std::string& line) {
    const int client = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = Path("r.sock").string();
    std::copy(path.begin(), path.end(), std::begin(address.sun_path));
    std::string text;
    if (::connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
        ::send(client, (line + "\n").data(), line.size() + 1, MSG_NOSIGNAL) > 0) {
      char byte = 0;
      while (::recv(client, &byte, 1, 0) == 1 && byte != '\n')
        text += byte;
    }
    ::close(client);
    auto json = Json::Parse(text);
    return json.ok() ? *json : Json();
  }
  Json Status() { return Ask(R"({"do":"status"})"); }
  // Waits until a series of that metric has a value.
  bool AwaitValue(const std::string& metric) {
    return WaitFor([&] {
      const Json status = Status();
      for (const Json& series : status["series"].items()) {
        if (series["metric"].AsText() == metric && series["value"].is_number()) return true;
      }
      return false;
    });
  }
  Found Spooled() {
    PosixDisk disk;
    SpoolReader reader(Path("spool"), disk);
    return ReadAll(reader, 1 << 20);
  }

  const std::string program_ = std::string(TACHO_BINARY_DIR) + "/bin/tachod";
  TempFolder folder_;
};

// Decodes every record of a spool; counts summaries' rows of the group "board".
struct Spoken {
  std::size_t board_rows = 0;
  std::vector<std::string> runs;
  std::vector<std::string> events;
  std::optional<BootReport> last_report;
};

Spoken Decode(const Found& found) {
  Spoken reading;
  std::map<DictionaryHash, Dictionary> dictionaries;
  for (const auto& [key, record] : found.records) {
    switch (record.kind) {
      case RecordKind::kDictionary:
        dictionaries[HashOf(record.payload)] = *DecodeDictionary(record.payload);
        break;
      case RecordKind::kBoot:
        reading.last_report = *DecodeBootReport(record.payload);
        break;
      case RecordKind::kRun: {
        const RunChange change = *DecodeRunChange(record.payload);
        EXPECT_TRUE(dictionaries.contains(record.dictionary));
        reading.runs.push_back(
            std::to_string(change.number) + " " + change.name + " " +
            (change.what == RunChange::What::kOpened ? "opened" : change.reason));
        break;
      }
      case RecordKind::kEvent:
        reading.events.push_back(DecodeEvent(record.payload)->kind);
        break;
      case RecordKind::kSummary: {
        const auto blocks = DecodeBlocks(record.payload);
        EXPECT_TRUE(blocks.ok());
        EXPECT_TRUE(dictionaries.contains(record.dictionary));
        for (const Block& block : *blocks) {
          if (block.group == GroupId{0}) reading.board_rows += block.rows();
        }
        break;
      }
      case RecordKind::kClock:
      case RecordKind::kGap:
        break;
    }
  }
  return reading;
}

TEST_F(TachodTest, SamplesABoardAndEndsCleanly) {
  WriteConfig(BoardOfOneBoot("orin-agx-sysfs"));
  const auto tachod = Start();
  EXPECT_TRUE(AwaitValue("power_rail")) << tachod->Printed();
  EXPECT_TRUE(AwaitValue("thermal_zone_temperature"));
  EXPECT_TRUE(Ask(R"({"do":"run_start","name":"mission"})")["ok"].AsBool());
  EXPECT_TRUE(WaitFor([&] { return Status()["uptime_s"].AsDouble() > 0; }));
  tachod->Signal(SIGTERM);
  EXPECT_EQ(tachod->AwaitExit(), 0) << tachod->Printed();
  const Spoken reading = Decode(Spooled());
  EXPECT_GT(reading.board_rows, 0u);
  EXPECT_EQ(reading.runs, (std::vector<std::string>{"1 idle opened", "1 idle next run",
                                                    "2 mission opened", "2 mission stop"}));
  EXPECT_FALSE(std::filesystem::exists(Path("r.sock")));
}

TEST_F(TachodTest, MissionGoesOnAfterAKill) {
  WriteConfig(BoardOfOneBoot("orin-agx-sysfs"));
  auto first = Start();
  EXPECT_TRUE(AwaitValue("power_rail")) << first->Printed();
  EXPECT_TRUE(Ask(R"({"do":"run_start","name":"mission"})")["ok"].AsBool());
  first->Signal(SIGKILL);
  EXPECT_EQ(first->AwaitExit(), -SIGKILL);
  const auto second = Start();
  EXPECT_TRUE(WaitFor([&] { return Status()["run"]["number"].AsInt() == 3; })) << second->Printed();
  EXPECT_EQ(Status()["run"]["name"].AsText(), "mission");
  second->Signal(SIGTERM);
  EXPECT_EQ(second->AwaitExit(), 0);
  const Spoken reading = Decode(Spooled());
  EXPECT_EQ(reading.runs, (std::vector<std::string>{"1 idle opened", "1 idle next run",
                                                    "2 mission opened", "2 mission unclean end",
                                                    "3 mission opened", "3 mission stop"}));
  EXPECT_EQ(reading.events, std::vector<std::string>{"recorder_down"});
  EXPECT_FALSE(reading.last_report->previous_ended_clean);
}

TEST_F(TachodTest, FlightRingOutlivesAKill) {
  WriteConfig(BoardOfOneBoot("orin-agx-sysfs"));
  const auto tachod = Start();
  EXPECT_TRUE(AwaitValue("power_rail")) << tachod->Printed();
  tachod->Signal(SIGKILL);
  EXPECT_EQ(tachod->AwaitExit(), -SIGKILL);
  std::ifstream file(Path("flight"), std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto frames = ReadFlight(std::as_bytes(std::span(text)));
  ASSERT_TRUE(frames.ok());
  EXPECT_FALSE(frames->empty());
}

TEST_F(TachodTest, RunsWithNoBoardNoDiskAndNoSocketFolder) {
  std::ofstream(Path("tachod.toml"))
      << "system_root = " << Path("nothing") << "\n[sampler]\nperiod = \"100ms\"\n"
      << "[source.self]\nenabled = false\n[feed.tegrastats]\nfile = \"/none/log\"\n"
      << "[spool]\nfolder = \"/proc/none\"\n[flight]\nfile = \"/proc/none/flight\"\n"
      << "[local]\nsocket = " << Path("r.sock") << "\n";
  const auto tachod = Start();
  EXPECT_TRUE(WaitFor([&] { return Status()["spool"]["ram_only"].AsBool(); })) << tachod->Printed();
  const Json answer = Ask(R"({"do":"event","kind":"hello"})");
  EXPECT_TRUE(answer["ok"].AsBool());
  EXPECT_TRUE(answer["ram"].AsBool());
  tachod->Signal(SIGTERM);
  EXPECT_EQ(tachod->AwaitExit(), 0) << tachod->Printed();
}

TEST_F(TachodTest, NamesWhatIsDamagedInItsFolderAndGoesOn) {
  WriteConfig(BoardOfOneBoot("orin-agx-sysfs"));
  std::filesystem::create_directories(Path("spool"));
  for (const char* name : {"spool/segment-00003", "spool/boot", "spool/ledger"}) {
    std::ofstream(Path(name)) << std::string(8192, 'x');
  }
  const auto tachod = Start();
  EXPECT_TRUE(AwaitValue("power_rail")) << tachod->Printed();
  EXPECT_TRUE(Status()["spool"]["ok"].AsBool());
  const std::string printed = tachod->Printed();
  EXPECT_NE(printed.find(Path("spool/segment-00003").string() + ": its header at byte 0"),
            std::string::npos)
      << printed;
  EXPECT_NE(printed.find(Path("spool/boot").string() + ": no whole page at byte 0 or 4096"),
            std::string::npos)
      << printed;
  tachod->Signal(SIGTERM);
  EXPECT_EQ(tachod->AwaitExit(), 0);
}

TEST_F(TachodTest, AFolderInPlaceOfTheBootFileIsNamedAndRecordsWaitInMemory) {
  WriteConfig(BoardOfOneBoot("orin-agx-sysfs"));
  std::filesystem::create_directories(Path("spool/boot"));
  const auto tachod = Start();
  const std::string sentence =
      "spool_refused: cannot open " + Path("spool/boot").string() + ": Is a directory";
  EXPECT_TRUE(WaitFor([&] { return tachod->Printed().find(sentence) != std::string::npos; }))
      << tachod->Printed();
  EXPECT_TRUE(Ask(R"({"do":"event","kind":"hello"})")["ram"].AsBool());
  tachod->Signal(SIGTERM);
  EXPECT_EQ(tachod->AwaitExit(), 0);
}

TEST_F(TachodTest, ReloadTakesTheSetupAndNamesWhatTakesARestart) {
  const auto root = BoardOfOneBoot("orin-agx-sysfs");
  WriteConfig(root);
  const auto tachod = Start();
  EXPECT_TRUE(WaitFor([&] { return Status()["ok"].AsBool(); })) << tachod->Printed();
  WriteConfig(root, "[setup]\nvehicle = \"v7\"\n[source.cpu]\nenabled = false\n");
  tachod->Signal(SIGHUP);
  EXPECT_TRUE(WaitFor([&] {
    return tachod->Printed().find("[source] changed") != std::string::npos;
  })) << tachod->Printed();
  tachod->Signal(SIGTERM);
  EXPECT_EQ(tachod->AwaitExit(), 0);
  bool has_setup = false;
  for (const auto& [key, record] : Spooled().records) {
    if (record.kind != RecordKind::kDictionary) continue;
    const auto dictionary = DecodeDictionary(record.payload);
    for (const auto& [name, value] : dictionary->setup) {
      has_setup = has_setup || (name == "vehicle" && value == "v7");
    }
  }
  EXPECT_TRUE(has_setup);
}

TEST_F(TachodTest, ReloadOfAWrongFileChangesNothing) {
  WriteConfig(BoardOfOneBoot("orin-agx-sysfs"));
  const auto tachod = Start();
  EXPECT_TRUE(WaitFor([&] { return Status()["ok"].AsBool(); })) << tachod->Printed();
  std::ofstream(Path("tachod.toml")) << "nonsense = 1\n";
  tachod->Signal(SIGHUP);
  EXPECT_TRUE(
      WaitFor([&] { return tachod->Printed().find("stays as it was") != std::string::npos; }));
  EXPECT_TRUE(Status()["ok"].AsBool());
  tachod->Signal(SIGTERM);
  EXPECT_EQ(tachod->AwaitExit(), 0);
}

TEST_F(TachodTest, SecondRecorderLeavesTheFirstAlone) {
  WriteConfig(BoardOfOneBoot("orin-agx-sysfs"));
  const auto first = Start();
  EXPECT_TRUE(WaitFor([&] { return Status()["ok"].AsBool(); })) << first->Printed();
  EXPECT_EQ(Start()->AwaitExit(), 1);
  EXPECT_TRUE(Status()["ok"].AsBool());
  first->Signal(SIGTERM);
  EXPECT_EQ(first->AwaitExit(), 0);
}

TEST_F(TachodTest, RecorderOfAnotherSocketTouchesNothingOfTheSpoolsOwner) {
  WriteConfig(BoardOfOneBoot("orin-agx-sysfs"));
  const auto first = Start();
  EXPECT_TRUE(AwaitValue("power_rail")) << first->Printed();
  EXPECT_TRUE(Ask(R"({"do":"run_start","name":"mission"})")["ok"].AsBool());
  const auto read = [&](const char* name) {
    std::ifstream file(Path(name), std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  const std::string run = read("spool/run.json");
  EXPECT_NE(run.find("mission"), std::string::npos);

  std::string config = read("tachod.toml");
  config.replace(config.find("r.sock"), 6, "q.sock");
  std::ofstream(Path("twin.toml")) << config;
  ChildProgram twin({program_, "--config", Path("twin.toml").string()}, Path("twin.log"), {});
  EXPECT_TRUE(WaitFor([&] {
    const std::string log = read("twin.log");
    return log.find("keeps its flight ring in memory") != std::string::npos &&
           log.find("the open run is not noted") != std::string::npos;
  })) << read("twin.log");
  twin.Signal(SIGTERM);
  EXPECT_EQ(twin.AwaitExit(), 0);
  EXPECT_EQ(read("spool/run.json"), run);
  EXPECT_EQ(Status()["run"]["name"].AsText(), "mission");
  first->Signal(SIGTERM);
  EXPECT_EQ(first->AwaitExit(), 0);
}

TEST_F(TachodTest, CheckSaysThatTheFileIsRight) {
  WriteConfig(BoardOfOneBoot("orin-agx-sysfs"));
  const std::string file = Path("tachod.toml").string();
  ChildProgram check({program_, "--check", "--config", file}, Path("log"), {});
  EXPECT_EQ(check.AwaitExit(), 0);
  EXPECT_EQ(check.Printed(), file + ": ok\n");
}

TEST_F(TachodTest, WrongConfigurationEndsWithTwoAndNamesTheLine) {
  std::ofstream(Path("tachod.toml")) << "\nnonsense = 1\n";
  const auto tachod = Start();
  EXPECT_EQ(tachod->AwaitExit(), 2);
  EXPECT_NE(tachod->Printed().find("tachod.toml:2:"), std::string::npos) << tachod->Printed();
}

// The socket that systemd would give: every word the recorder says there.
class NotifySocket {
 public:
  explicit NotifySocket(const std::filesystem::path& path)
      : socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::copy(path.native().begin(), path.native().end(), std::begin(address.sun_path));
    EXPECT_EQ(::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  ~NotifySocket() { ::close(socket_); }
  bool Await(const std::string& word) {
    return WaitFor([&] {
      char buffer[512];
      ssize_t got = 0;
      while ((got = ::recv(socket_, buffer, sizeof buffer, 0)) > 0) {
        heard_.append(buffer, static_cast<std::size_t>(got));
        heard_ += '\n';
      }
      return heard_.find(word) != std::string::npos;
    });
  }

 private:
  const int socket_;
  std::string heard_;
};

TEST_F(TachodTest, SystemdHearsThatItIsReadyAliveAndStopping) {
  WriteConfig(BoardOfOneBoot("orin-agx-sysfs"));
  NotifySocket systemd(Path("notify"));
  const auto tachod = Start({"NOTIFY_SOCKET=" + Path("notify").string(), "WATCHDOG_USEC=300000"});
  EXPECT_TRUE(systemd.Await("READY=1"));
  EXPECT_TRUE(systemd.Await("WATCHDOG=1"));
  tachod->Signal(SIGTERM);
  EXPECT_TRUE(systemd.Await("STOPPING=1"));
  EXPECT_EQ(tachod->AwaitExit(), 0);
}

}  // namespace
}  // namespace tacho
