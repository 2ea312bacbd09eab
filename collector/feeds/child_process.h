// A program that we start, read from, and end.
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

#include "common/status.h"
#include "common/time.h"

namespace tacho {

// The file of `program`: itself if it has a slash, else the first of that name in the folders of
// `search_path` ("/usr/bin:/bin"). Empty if there is none that can be run.
std::string FindProgram(const std::string& program, const std::string& search_path);

// Runs in a process group of its own, with nothing on its standard input, and without our
// environment: only LC_ALL=C, so that numbers have a point, and a plain PATH.
class ChildProcess {
 public:
  // `arguments` are those behind the program's name.
  static Result<ChildProcess> Start(const std::string& file,
                                    const std::vector<std::string>& arguments);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() { End(); }

  // Its standard output and error: not blocking.
  int output() const { return output_; }
  int errors() const { return errors_; }
  pid_t id() const { return id_; }

  // Asks the group of the process to end, and makes it after `kPatience`. Returns within twice
  // that how it ended, as waitpid tells; -1 if nobody knows.
  int End();

  static constexpr Nanos kPatience = std::chrono::milliseconds(300);

 private:
  ChildProcess(pid_t id, int output, int errors) : id_(id), output_(output), errors_(errors) {}
  bool Reap(Nanos limit, int& how);

  pid_t id_;
  int output_;
  int errors_;
};

}  // namespace tacho
