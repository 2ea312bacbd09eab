// Lays a table out for a terminal: aligned, clipped or thinned to its width, coloured by verdict.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/page.h"
#include "cli/text.h"

namespace tacho {

struct TableText {
  std::vector<std::string> lines;     // the header first, if it has one
  std::vector<std::string> left_out;  // titles of the columns that found no room
};

// Needs no printable text: makes it so. Numbers are never clipped, since a clipped number lies.
// Lays out the first `most_rows`; 0: all.
TableText LayOut(const Table& table, std::size_t most_rows, const Style& style);

// `text` in the colour of `tone`, if the style has colours.
std::string Painted(std::string_view text, Tone tone, const Style& style);

inline Charset CharsetOf(const Style& style) {
  return style.use_unicode ? Charset::kUnicode : Charset::kAscii;
}

}  // namespace tacho
