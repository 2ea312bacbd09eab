// An answer before it is printed: the value for scripts, and tables and sentences for people.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/json.h"

namespace tacho {

// How good the news in a cell is. Missing data has a colour of its own: it is not good news.
enum class Tone { kPlain, kGood, kBad, kWarn, kMissing, kDim };

// One value of a table, twice: as people read it ("81.6 ms") and as programs do ("0.0816").
struct TableCell {
  std::string shown{};
  std::string raw{};
  Tone tone = Tone::kPlain;
  bool is_absent = false;  // prints as "-" (an empty field in CSV), never as 0
};

// Where a column or a section appears: in text for people, in data for programs (tsv, csv), or
// both.
enum class Where { kBoth, kTextOnly, kDataOnly };

struct TableColumn {
  std::string name{};          // "last_contact": CSV's header; "LAST CONTACT" in text
  int rank = 0;                // on a narrow terminal the highest goes first; 0 always stays
  bool is_right = false;       // numbers
  bool is_elastic = false;     // may be clipped to fit
  Where where = Where::kBoth;  // columns for programs are only ever appended (docs/cli.md)
};

struct Table {
  std::vector<TableColumn> columns{};
  bool has_header = true;  // in text
  std::vector<std::vector<TableCell>> rows{};
};

struct Section {
  std::string tag{};    // first field of each of its rows where a page has several: "series"
  std::string title{};  // heading where a page has several
  Table table{};
  std::vector<std::string> lines{};  // in text, below the table
  // The sentence that stands for an empty table; on stderr where stdout is data.
  std::string if_empty{};
  std::size_t most_shown = 0;  // rows in text, before "and 70 more"; 0: all
  Where where = Where::kBoth;
};

struct AnswerPage {
  // What -o json prints (nothing where it is null); the items of an array are what -o jsonl prints.
  Json json{};
  // A text for another program, such as a configuration file: instead of all sections, in every
  // form but JSON. What text would say beside it goes to stderr.
  std::string document{};
  std::string headline{};
  Tone headline_tone = Tone::kPlain;
  std::vector<Section> sections{};
  std::vector<std::string> warnings{};
  // What text draws and rows cannot hold, such as a series without a value: to stderr beside data.
  std::vector<std::string> notes{};
  // What was measured of what should have been: ends a text answer, goes to stderr beside rows.
  std::string coverage{};
  std::vector<std::string> next{};  // at most two commands worth typing next
  int exit_code = 0;
};

enum class Format { kTable, kTsv, kCsv, kJson, kJsonLines };

// How this user's output takes a page.
struct Style {
  Format format = Format::kTable;
  int width = 0;  // columns of the terminal; 0: unlimited
  bool use_colour = false;
  bool use_unicode = true;
  bool is_continued = false;  // the page goes on where another ended: no header
};

}  // namespace tacho
