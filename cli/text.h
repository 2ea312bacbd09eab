// Text from elsewhere, made safe for a terminal and measured in its columns.
#pragma once

#include <string>
#include <string_view>

namespace tacho {

// Which characters the reader can show.
enum class Charset { kUnicode, kAscii };

// The same text with everything spelt out that could move a cursor, hide or reorder text, or break
// a line: "\x1b[2J" for a hostile escape, "\t", "\n", "\u202e", "\xff" for a stray byte.
std::string Printable(std::string_view text, Charset charset = Charset::kUnicode);

// The same JSON, with those of its characters escaped that JSON itself lets through.
// Requires: `json` is valid JSON.
std::string PrintableJson(std::string_view json);

// Columns a terminal gives to printable text: CJK and emoji take two, combining marks none.
int ColumnsOf(std::string_view printable);

// At most `columns` wide; what was cut off is marked by an ellipsis.
std::string Clip(std::string_view printable, int columns, Charset charset = Charset::kUnicode);

// The text as one word of a shell: as it is where that is safe, else in quotes.
std::string ShellWord(std::string_view text);

}  // namespace tacho
