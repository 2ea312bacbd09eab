// Reads the worked examples out of the pages in docs/, so that a page cannot rot.
#pragma once

#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include "common/bytes.h"

namespace tacho {

// The bytes of the block that begins with "```hex NAME" in the page, such as "formats/codec.md":
// pairs of hexadecimal digits; from '#' to the end of the line is a comment. Fails the test if
// there is none.
inline Bytes PageExample(std::string_view page, std::string_view name) {
  const std::string path = std::string(TACHO_SOURCE_DIR) + "/docs/" + std::string(page);
  std::ifstream file(path);
  std::string line;
  const std::string opening = "```hex " + std::string(name);
  while (std::getline(file, line) && line != opening) {
  }
  std::string digits;
  while (std::getline(file, line) && line != "```") {
    for (const char c : line.substr(0, line.find('#'))) {
      if (c != ' ') digits += c;
    }
  }
  if (digits.empty() || digits.size() % 2 != 0 ||
      digits.find_first_not_of("0123456789abcdef") != std::string::npos) {
    ADD_FAILURE() << path << " has no block \"" << opening << "\" of whole bytes in hex";
    return {};
  }
  Bytes bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoi(digits.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

}  // namespace tacho
