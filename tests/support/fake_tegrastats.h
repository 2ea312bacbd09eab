// Programs that stand in for tegrastats: shell scripts in a test's own folder.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "tests/support/temp_folder.h"

namespace tacho {

// Writes `body` as an executable shell script and returns its file. In the body, $0.starts grows by
// a line at each start, and $* are the arguments.
class FakeTegrastats {
 public:
  explicit FakeTegrastats(std::string_view body) : file_(folder_.path() / "tegrastats") {
    std::ofstream(file_) << "#!/bin/sh\necho \"$LC_ALL $*\" >>\"$0.starts\"\n" << body << "\n";
    std::filesystem::permissions(file_, std::filesystem::perms::owner_all);
  }

  std::string file() const { return file_.string(); }
  std::string folder() const { return folder_.path().string(); }
  // "C --interval 500", a line per start.
  std::string starts() const {
    std::ifstream input(file() + ".starts");
    return {std::istreambuf_iterator<char>(input), std::istreambuf_iterator<char>()};
  }

 private:
  TempFolder folder_;
  std::filesystem::path file_;
};

}  // namespace tacho
