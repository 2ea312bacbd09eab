// A program that we start, read from, and end.
#include "collector/feeds/child_process.h"

#include <array>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string_view>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "collector/parse/numbers.h"

namespace tacho {
namespace {

bool IsProgram(const std::string& file) {
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         ::access(file.c_str(), X_OK) == 0;
}

void CloseIfOpen(int& descriptor) {
  if (descriptor >= 0) ::close(std::exchange(descriptor, -1));
}

// Both ends of a pipe, closed again unless taken.
struct Pipe {
  int reader = -1;
  int writer = -1;

  Pipe() {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
    reader = ends[0];
    writer = ends[1];
    ::fcntl(reader, F_SETFL, O_NONBLOCK);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    CloseIfOpen(reader);
    CloseIfOpen(writer);
  }
  bool is_open() const { return reader >= 0; }
  int TakeReader() { return std::exchange(reader, -1); }
};

// What the child is given: its descriptors, a group of its own, and signals as a shell would.
class SpawnPlan {
 public:
  SpawnPlan(int output, int errors) {
    ::posix_spawn_file_actions_init(&files_);
    ::posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&files_, output, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&files_, errors, STDERR_FILENO);
    ::posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    ::posix_spawn_file_actions_destroy(&files_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  // Gives 0, or the error number.
  int Run(pid_t& id, const std::string& file, std::vector<std::string> words) const {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) {
      arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    std::string locale = "LC_ALL=C";
    std::string path = "PATH=/usr/sbin:/usr/bin:/sbin:/bin";
    std::array<char*, 3> environment{locale.data(), path.data(), nullptr};
    return ::posix_spawn(&id, file.c_str(), &files_, &attributes_, arguments.data(),
                         environment.data());
  }

 private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

}  // namespace

std::string FindProgram(const std::string& program, const std::string& search_path) {
  if (program.find('/') != std::string::npos) return IsProgram(program) ? program : "";
  for (std::string_view rest = search_path; !program.empty() && !rest.empty();) {
    std::string file(TakeUntil(rest, ':'));
    if (file.empty()) continue;
    file.append("/").append(program);
    if (IsProgram(file)) return file;
  }
  return "";
}

Result<ChildProcess> ChildProcess::Start(const std::string& file,
                                         const std::vector<std::string>& arguments) {
  Pipe output;
  Pipe errors;
  if (!output.is_open() || !errors.is_open()) {
    return Status(Code::kExhausted, "start " + file + ": no descriptors left for its output");
  }
  std::vector<std::string> words{file};
  words.insert(words.end(), arguments.begin(), arguments.end());
  pid_t id = -1;
  const int error = SpawnPlan(output.writer, errors.writer).Run(id, file, std::move(words));
  if (error != 0) {
    return Status(Code::kUnavailable, "start " + file + ": " + std::strerror(error));
  }
  return ChildProcess(id, output.TakeReader(), errors.TakeReader());
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : id_(std::exchange(other.id_, -1)),
      output_(std::exchange(other.output_, -1)),
      errors_(std::exchange(other.errors_, -1)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(output_, other.output_);
  std::swap(errors_, other.errors_);
  return *this;
}

int ChildProcess::End() {
  int how = -1;
  if (id_ > 0) {
    // The group has our child's number: it holds the child and what that started.
    ::kill(-id_, SIGTERM);
    if (!Reap(kPatience, how)) {
      ::kill(-id_, SIGKILL);
      // One that cannot even be killed waits for a device; init collects it when we have ended.
      Reap(kPatience, how);
    }
    id_ = -1;
  }
  CloseIfOpen(output_);
  CloseIfOpen(errors_);
  return how;
}

// There is no waiting for a process with a limit on kernels before 5.3: look again and again.
bool ChildProcess::Reap(Nanos limit, int& how) {
  constexpr int kStepMillis = 5;
  for (Nanos waited{}; waited <= limit; waited += std::chrono::milliseconds(kStepMillis)) {
    int status = 0;
    const pid_t reaped = ::waitpid(id_, &status, WNOHANG);
    if (reaped == id_) how = status;
    if (reaped != 0) return true;
    ::poll(nullptr, 0, kStepMillis);
  }
  return false;
}

}  // namespace tacho
