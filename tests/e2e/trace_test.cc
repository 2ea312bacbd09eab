// What the recorder touches, by the kernel's own account: it writes nothing below sys/, makes and
// removes nothing outside its own folders, and starts no program but tegrastats.
#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/e2e/event_feed.h"
#include "tests/e2e/programs.h"
#include "tests/support/temp_folder.h"
#include "tests/support/waiting.h"

namespace tacho {
namespace {

// One system call: its name and the paths among its arguments.
struct Call {
  std::string name;
  std::string line;
  std::vector<std::string> paths;

  bool MayWrite() const {
    if (name != "open" && name != "openat" && name != "openat2") return name != "execve";
    return line.find("O_WRONLY") != std::string::npos || line.find("O_RDWR") != std::string::npos ||
           line.find("O_CREAT") != std::string::npos || line.find("O_TRUNC") != std::string::npos;
  }
};

std::vector<Call> CallsOf(const std::string& trace) {
  static const std::regex call(R"(^(?:\d+ +)?([a-z0-9]+)\(.*)");
  static const std::regex quoted("\"((?:[^\"\\\\]|\\\\.)*)\"");
  std::vector<Call> calls;
  std::istringstream lines(trace);
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (!std::regex_match(line, found, call)) continue;
    Call one{found[1], line, {}};
    for (std::sregex_iterator at(line.begin(), line.end(), quoted), end; at != end; ++at) {
      one.paths.push_back((*at)[1]);
    }
    calls.push_back(std::move(one));
  }
  return calls;
}

class TraceTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kStrace)) GTEST_SKIP() << "strace is not installed";
    std::filesystem::copy(TACHO_SOURCE_DIR "/tests/boards/orin-agx-sysfs", Path("board"),
                          std::filesystem::copy_options::recursive);
    WriteTegrastats();
    WriteConfig();
  }
  std::filesystem::path Path(const std::string& name) const { return folder_.path() / name; }

  // A program that prints one line a moment, as the real one does.
  void WriteTegrastats() {
    std::ofstream(Path("tegrastats")) << "#!/bin/sh\nwhile :; do echo 'RAM 1/2MB VDD_X 1mW/1mW'; "
                                         "read -t 1 none </dev/zero || :; done\n";
    std::filesystem::permissions(Path("tegrastats"), std::filesystem::perms::owner_all);
  }
  void WriteConfig() {
    std::ofstream(Path("tachod.toml"))
        << "system_root = " << Path("board") << "\n[sampler]\nperiod = \"100ms\"\n"
        << "[feed.tegrastats]\nprogram = " << Path("tegrastats") << "\n"
        << "[spool]\nfolder = " << Path("spool") << "\nmax = \"2MiB\"\n"
        << "[flight]\nfile = " << Path("flight") << "\nsize = \"256KiB\"\n"
        << "[local]\nsocket = " << Path("r.sock") << "\n[wake]\nsocket = " << Path("w.sock")
        << "\n";
  }
  bool IsOwn(const std::string& path) const {
    static const std::array own = {"spool", "flight", "r.sock", "w.sock"};
    return std::ranges::any_of(
               own, [&](const char* name) { return path.starts_with(Path(name).string()); }) ||
           path == "/dev/null";
  }
  // Starts the recorder under strace, lets it record, ends it, and gives what it did.
  std::vector<Call> Record() {
    ChildProgram strace(
        {kStrace, "-f", "-qq", "-s", "300", "-e", kCalls, "-o", Path("trace").string(),
         Program::Path("tachod"), "--config", Path("tachod.toml").string()},
        Path("log"), {"ASAN_OPTIONS=detect_leaks=0"});  // which traces too, and only one may
    const auto read = [this](const std::string& name) {
      std::ifstream file(Path(name));
      return std::string{std::istreambuf_iterator<char>(file), {}};
    };
    if (read("log").find("ptrace") != std::string::npos) return {};
    std::string pid;
    EXPECT_TRUE(WaitFor([&] {
      const int connection = ConnectLocal(Path("r.sock"));
      if (connection < 0) return false;
      ::close(connection);
      std::istringstream(read("trace")) >> pid;
      return !pid.empty();
    })) << read("log");
    EventFeed feed(Path("r.sock"), "x", life_, 500);
    EXPECT_TRUE(WaitFor([&] { return feed.stored() > 200; })) << read("log");
    feed.Stop();
    ::kill(static_cast<pid_t>(std::stol(pid)), SIGTERM);
    EXPECT_EQ(strace.AwaitExit(), 0) << read("log");
    return CallsOf(read("trace"));
  }

  static constexpr const char* kStrace = "/usr/bin/strace";
  static constexpr const char* kCalls =
      "trace=open,openat,openat2,creat,truncate,mkdir,mkdirat,rmdir,unlink,unlinkat,rename,"
      "renameat,"
      "renameat2,link,linkat,symlink,symlinkat,mknod,mknodat,chmod,fchmodat,chown,fchownat,mount,"
      "execve,execveat";
  TempFolder folder_;
  std::atomic<int> life_{1};
};

TEST_F(TraceTest, WritesNothingBelowSysAndStartsOnlyTegrastats) {
  const std::vector<Call> calls = Record();
  if (calls.empty()) GTEST_SKIP() << "this machine lets nobody trace";
  std::size_t reads = 0;
  std::size_t programs = 0;
  for (const Call& call : calls) {
    if (call.name.starts_with("execve")) {
      ASSERT_FALSE(call.paths.empty()) << call.line;
      const bool is_allowed =
          call.paths[0] == Program::Path("tachod") || call.paths[0] == Path("tegrastats").string();
      EXPECT_TRUE(is_allowed) << call.line;
      ++programs;
      continue;
    }
    for (const std::string& path : call.paths) {
      if (path.starts_with(Path("board/sys").string())) ++reads;
      if (!call.MayWrite()) continue;
      EXPECT_FALSE(path.starts_with("/sys") || path.starts_with(Path("board").string()))
          << call.line;
    }
    if (call.MayWrite() && !call.paths.empty()) {
      EXPECT_TRUE(IsOwn(call.paths[0]) || call.paths[0].starts_with("/dev/")) << call.line;
    }
  }
  EXPECT_GT(reads, 10u) << "the trace shows no sampling";
  EXPECT_GE(programs, 2u) << "the trace shows no tegrastats";
}

}  // namespace
}  // namespace tacho
