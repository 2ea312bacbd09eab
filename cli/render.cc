// Prints a page in the form the user asked for.
#include "cli/render.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/table_text.h"
#include "cli/text.h"

namespace tacho {
namespace {

std::string Joined(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += between;
    text += words[i];
  }
  return text;
}

// ---- text for people

void AppendLine(std::string& text, std::string_view line, Tone tone, const Style& style) {
  text += Painted(Printable(line, CharsetOf(style)), tone, style) + '\n';
}

// The table, and what it had no room for.
std::string TableLines(const Section& section, const Style& style) {
  const TableText table = LayOut(section.table, section.most_shown, style);
  std::string text;
  for (const std::string& line : table.lines) {
    text += line + '\n';
  }
  const std::size_t rows = section.table.rows.size();
  if (section.most_shown > 0 && rows > section.most_shown) {
    AppendLine(text, "and " + std::to_string(rows - section.most_shown) + " more; -o tsv has them",
               Tone::kDim, style);
  }
  if (!table.left_out.empty()) {
    AppendLine(text, "no room for: " + Joined(table.left_out, ", ") + "; -o tsv has them",
               Tone::kDim, style);
  }
  return text;
}

std::string SectionText(const Section& section, const Style& style) {
  std::string text;
  if (!section.title.empty()) AppendLine(text, section.title, Tone::kDim, style);
  if (!section.table.rows.empty()) {
    text += TableLines(section, style);
  } else if (!section.if_empty.empty()) {
    AppendLine(text, section.if_empty, Tone::kMissing, style);
  }
  for (const std::string& line : section.lines) {
    AppendLine(text, line, Tone::kPlain, style);
  }
  return text;
}

std::string FootText(const AnswerPage& page, const Style& style) {
  std::string text;
  for (const std::string& warning : page.warnings) {
    AppendLine(text, "warning   " + warning, Tone::kWarn, style);
  }
  if (!page.coverage.empty()) AppendLine(text, "coverage  " + page.coverage, Tone::kPlain, style);
  std::string_view lead = "next      ";
  for (const std::string& command : page.next) {
    AppendLine(text, std::string(lead) + command, Tone::kDim, style);
    lead = "          ";
  }
  return text;
}

Rendered RenderText(const AnswerPage& page, const Style& style) {
  std::vector<std::string> blocks;
  if (!page.headline.empty()) {
    AppendLine(blocks.emplace_back(), page.headline, page.headline_tone, style);
  }
  for (const Section& section : page.sections) {
    if (section.where != Where::kDataOnly) blocks.push_back(SectionText(section, style));
  }
  blocks.push_back(FootText(page, style));
  blocks.erase(std::remove(blocks.begin(), blocks.end(), ""), blocks.end());
  return {Joined(blocks, "\n"), ""};
}

// ---- data for programs

std::vector<const Section*> DataSections(const AnswerPage& page) {
  std::vector<const Section*> sections;
  for (const Section& section : page.sections) {
    if (section.where != Where::kTextOnly) sections.push_back(&section);
  }
  return sections;
}

// What text would say beside the tables goes to stderr, a line each, so that it is not lost: all of
// it beside rows; beside JSON, which has the coverage and its empty lists in it, what is absent.
std::string NotesOf(const AnswerPage& page, bool is_rows) {
  const auto sections = DataSections(page);
  std::string notes;
  const auto add = [&notes](std::string_view lead, std::string_view sentence) {
    if (!sentence.empty()) notes += std::string(lead) + Printable(sentence) + '\n';
  };
  add("", page.headline);
  for (const Section* section : sections) {
    if (!section->table.rows.empty() || (!is_rows && sections.size() > 1)) continue;
    add(sections.size() > 1 ? section->tag + ": " : "", section->if_empty);
  }
  for (const std::string& note : page.notes) {
    add("", note);
  }
  for (const std::string& warning : page.warnings) {
    add("warning: ", warning);
  }
  if (is_rows) add("coverage: ", page.coverage);
  return notes;
}

std::string CsvField(const std::string& text) {
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  }
  return quoted + '"';
}

std::string FieldOf(const TableCell& cell, Format format) {
  if (format == Format::kTsv) return Printable(cell.raw);
  return cell.is_absent ? std::string() : CsvField(Printable(cell.raw));
}

std::string DataRows(const Section& section, Format format, bool has_tag) {
  const std::string_view between = format == Format::kTsv ? "\t" : ",";
  std::string text;
  for (const auto& row : section.table.rows) {
    std::vector<std::string> fields;
    if (has_tag) fields.push_back(section.tag);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (section.table.columns[i].where != Where::kTextOnly) {
        fields.push_back(FieldOf(row[i], format));
      }
    }
    text += Joined(fields, between) + '\n';
  }
  return text;
}

std::string CsvHeader(const Table& table) {
  std::vector<std::string> names;
  for (const TableColumn& column : table.columns) {
    if (column.where != Where::kTextOnly) names.push_back(column.name);
  }
  return Joined(names, ",") + '\n';
}

Rendered RenderRows(const AnswerPage& page, const Style& style) {
  const auto sections = DataSections(page);
  Rendered rendered{"", NotesOf(page, true)};
  if (style.format == Format::kCsv && sections.size() == 1 && !style.is_continued) {
    rendered.out += CsvHeader(sections.front()->table);
  }
  for (const Section* section : sections) {
    rendered.out += DataRows(*section, style.format, sections.size() > 1);
  }
  return rendered;
}

std::string JsonLines(const Json& json) {
  if (json.is_null()) return "";
  if (!json.is_array()) return json.Dump() + '\n';
  std::string text;
  for (const Json& item : json.items()) {
    text += item.Dump() + '\n';
  }
  return text;
}

// Line by line, since what came from elsewhere must not move a cursor here either.
std::string DocumentText(std::string_view document) {
  std::string text;
  while (!document.empty()) {
    const std::size_t end = std::min(document.find('\n'), document.size());
    text += Printable(document.substr(0, end)) + '\n';
    document.remove_prefix(std::min(end + 1, document.size()));
  }
  return text;
}

}  // namespace

Rendered Render(const AnswerPage& page, const Style& style) {
  const bool is_json = style.format == Format::kJson || style.format == Format::kJsonLines;
  if (!page.document.empty() && !is_json) {
    return {DocumentText(page.document), NotesOf(page, true)};
  }
  switch (style.format) {
    case Format::kTsv:
    case Format::kCsv:
      return RenderRows(page, style);
    case Format::kJson:
      if (page.json.is_null()) return {"", NotesOf(page, false)};
      return {PrintableJson(page.json.Dump(2) + '\n'), NotesOf(page, false)};
    case Format::kJsonLines:
      return {PrintableJson(JsonLines(page.json)), NotesOf(page, false)};
    case Format::kTable:
      break;
  }
  return RenderText(page, style);
}

}  // namespace tacho
