// A program that a test starts, talks to by signals, and never leaves behind.
#pragma once

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "tests/support/waiting.h"

namespace tacho {

class ChildProgram {
 public:
  // What it prints, on both outputs, goes to `log`. `environment`: "NAME=value", and nothing else.
  ChildProgram(std::vector<std::string> arguments, std::filesystem::path log,
               std::vector<std::string> environment = {})
      : log_(std::move(log)) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log_.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    std::vector<char*> argv = Pointers(arguments);
    std::vector<char*> envp = Pointers(environment);
    if (posix_spawn(&id_, argv[0], &actions, nullptr, argv.data(), envp.data()) != 0) id_ = -1;
    posix_spawn_file_actions_destroy(&actions);
  }
  ~ChildProgram() {
    if (id_ <= 0 || exit_code_) return;
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
  }
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;

  pid_t id() const { return id_; }
  void Signal(int number) const { ::kill(id_, number); }
  // Its exit code, minus the signal that killed it, or nullopt if it does not end.
  std::optional<int> AwaitExit() {
    int status = 0;
    const bool has_ended = WaitFor([&] { return ::waitpid(id_, &status, WNOHANG) == id_; });
    if (!has_ended) return std::nullopt;
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return exit_code_;
  }
  std::string Printed() const {
    std::ifstream file(log_);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  static std::vector<char*> Pointers(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts)
      pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
  }

  std::filesystem::path log_;
  pid_t id_ = -1;
  std::optional<int> exit_code_;
};

}  // namespace tacho
