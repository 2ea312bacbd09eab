// The fixture boards, and boards that a test writes itself.
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "collector/source.h"
#include "tests/support/temp_folder.h"

namespace tacho {

inline SystemRoot FixtureBoard(std::string_view name) {
  return {std::filesystem::path(TACHO_SOURCE_DIR) / "tests/boards" / name};
}

// A folder that stands for / and lasts as long as its test.
class BoardFolder {
 public:
  BoardFolder& With(std::string_view file, std::string_view text) {
    const std::filesystem::path path = folder_.path() / file;
    std::filesystem::create_directories(path.parent_path());
    // Written in place: a source that has the file open must see it.
    std::ofstream(path, std::ios::trunc) << text;
    return *this;
  }
  // A folder where a file should be: reading it fails.
  BoardFolder& WithUnreadable(std::string_view file) {
    std::filesystem::create_directories(folder_.path() / file);
    return *this;
  }
  BoardFolder& Without(std::string_view file) {
    std::filesystem::remove_all(folder_.path() / file);
    return *this;
  }
  SystemRoot root() const { return {folder_.path()}; }

 private:
  TempFolder folder_;
};

}  // namespace tacho
