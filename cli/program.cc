#include "cli/program.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace tacho {
namespace {

constexpr int kPassedOn[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

std::string ReasonOf(int error) {
  return std::generic_category().message(error);
}

// 0, or why `file` is no program that we may run.
int WhyNotRun(const std::string& file) {
  struct stat about {};
  if (stat(file.c_str(), &about) != 0) return errno;
  if (!S_ISREG(about.st_mode)) return EACCES;
  return access(file.c_str(), X_OK) == 0 ? 0 : errno;
}

Status CannotRun(const std::string& name, int error) {
  const bool is_there = error != ENOENT && error != ENOTDIR;
  return {is_there ? Code::kDenied : Code::kNotFound,
          fmt::format("'{}' cannot be run: {}.", name, ReasonOf(error))};
}

// Blocks what is passed on and SIGCHLD. Returns those that are waited for; `before` is what was
// blocked until now.
sigset_t BlockSignals(sigset_t& before) {
  sigset_t awaited;
  sigemptyset(&awaited);
  for (const int number : kPassedOn)
    sigaddset(&awaited, number);
  sigaddset(&awaited, SIGCHLD);
  // Who started us may ignore it; then the kernel would keep no status for us.
  std::signal(SIGCHLD, SIG_DFL);
  sigprocmask(SIG_BLOCK, &awaited, &before);
  return awaited;
}

// 0, or why it did not start.
int Spawn(const std::string& file, const std::vector<std::string>& words, char* const* environment,
          const sigset_t& blocked, pid_t& child) {
  std::vector<char*> pointers;
  std::vector<std::string> texts = words;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts)
    pointers.push_back(text.data());
  pointers.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &blocked);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  const int error =
      posix_spawn(&child, file.c_str(), nullptr, &attributes, pointers.data(), environment);
  posix_spawnattr_destroy(&attributes);
  return error;
}

// Waits for the child to end, and passes signals on meanwhile. What waitpid says of it.
int AwaitEnd(pid_t child, const sigset_t& awaited) {
  for (;;) {
    siginfo_t info{};
    const int number = sigwaitinfo(&awaited, &info);
    int status = 0;
    if (number == SIGCHLD && waitpid(child, &status, WNOHANG) == child) return status;
    // A terminal sends to all of its foreground, so the child has that one already.
    if (number > 0 && number != SIGCHLD && info.si_code != SI_KERNEL) kill(child, number);
  }
}

}  // namespace

Result<std::string> FindProgram(const std::string& name, std::string_view path) {
  if (name.find('/') != std::string::npos) {
    const int error = WhyNotRun(name);
    return error == 0 ? Result<std::string>(name) : CannotRun(name, error);
  }
  int worst = ENOENT;
  while (!path.empty() && !name.empty()) {
    const std::size_t end = std::min(path.find(':'), path.size());
    // An empty folder is the one we are in.
    std::string file = end == 0 ? "./" : std::string(path.substr(0, end)) + '/';
    file += name;
    const int error = WhyNotRun(file);
    if (error == 0) return file;
    if (error == EACCES) worst = error;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return CannotRun(name, worst);
}

Result<int> RunProgram(const std::string& file, const std::vector<std::string>& words,
                       char* const* environment) {
  sigset_t before;
  const sigset_t awaited = BlockSignals(before);
  pid_t child = -1;
  if (const int error = Spawn(file, words, environment, before, child); error != 0) {
    return CannotRun(file, error);
  }
  const int status = AwaitEnd(child, awaited);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void Pause(Nanos time) {
  constexpr long kSecond = 1'000'000'000;
  timespec left{time.count() / kSecond, time.count() % kSecond};
  while (nanosleep(&left, &left) != 0 && errno == EINTR) {
  }
}

}  // namespace tacho
