// Series from a file.
#include "server/detect/series_file.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <utility>

#include "common/json.h"

namespace tacho::detect {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

Status Wrong(std::size_t line, const std::string& why) {
  return {Code::kInvalid, "line " + std::to_string(line) + ": " + why};
}

Status WrongFile(const std::string& why) {
  return {Code::kInvalid, why};
}

// What is wrong with the file as a whole, if anything.
Status Check(const SeriesFile& file) {
  if (file.series.empty()) return WrongFile("the file holds no series.");
  if (file.series.size() > kMostSeries) {
    return WrongFile("the file holds " + std::to_string(file.series.size()) + " series; at most " +
                     std::to_string(kMostSeries) + " are taken at once.");
  }
  std::set<std::string_view> names;
  for (const NamedSeries& series : file.series) {
    if (!names.insert(series.name).second) {
      return WrongFile("the name '" + series.name +
                       "' is there twice, so its series are not told "
                       "apart.");
    }
  }
  return {};
}

// ---- CSV

std::string_view Trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_space(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_space(text.back()))
    text.remove_suffix(1);
  return text;
}

// Takes a quoted field off `rest`, its closing quote included. Requires: `rest` begins with a
// quote.
Result<std::string> TakeQuoted(std::string_view& rest, std::size_t line) {
  std::string field;
  rest.remove_prefix(1);
  while (true) {
    const std::size_t quote = rest.find('"');
    if (quote == std::string_view::npos) return Wrong(line, "a quote is opened and not closed.");
    field += rest.substr(0, quote);
    rest.remove_prefix(quote + 1);
    if (rest.empty() || rest.front() != '"') return field;
    field += '"';
    rest.remove_prefix(1);
  }
}

Result<std::vector<std::string>> Fields(std::string_view rest, std::size_t line) {
  std::vector<std::string> fields;
  while (true) {
    std::string field;
    if (!rest.empty() && rest.front() == '"') {
      auto quoted = TakeQuoted(rest, line);
      if (!quoted.ok()) return std::move(quoted).status();
      field = *std::move(quoted);
      if (!rest.empty() && rest.front() != ',') {
        return Wrong(line, "a comma must follow the closing quote of '" + field + "'.");
      }
    } else {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      field = Trimmed(rest.substr(0, comma));
      rest.remove_prefix(comma);
    }
    fields.push_back(std::move(field));
    if (rest.empty()) return fields;
    rest.remove_prefix(1);
  }
}

bool IsNan(std::string_view text) {
  return text.size() == 3 && (text[0] | 0x20) == 'n' && (text[1] | 0x20) == 'a' &&
         (text[2] | 0x20) == 'n';
}

// False where the text is no number.
bool ParseCell(std::string_view text, double& value) {
  text = Trimmed(text);
  value = kMissing;
  if (text.empty() || IsNan(text)) return true;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

Status AddRow(SeriesFile& file, std::vector<std::string> fields, std::size_t line) {
  if (fields.size() != file.series.size() + 1) {
    return Wrong(line, "it has " + std::to_string(fields.size()) + " cells, and the header has " +
                           std::to_string(file.series.size() + 1) + ".");
  }
  for (std::size_t i = 1; i < fields.size(); ++i) {
    NamedSeries& series = file.series[i - 1];
    double value = 0;
    if (!ParseCell(fields[i], value)) {
      return Wrong(line, "'" + fields[i] + "' in column '" + series.name +
                             "' is no number. Leave a missing value empty.");
    }
    series.values.push_back(value);
  }
  file.rows.push_back(std::move(fields.front()));
  return {};
}

Status SetHeader(SeriesFile& file, std::vector<std::string> fields, std::size_t line) {
  if (fields.size() < 2) {
    return Wrong(line,
                 "the header has one column. The first names the row, so a series needs a second.");
  }
  for (std::size_t i = 1; i < fields.size(); ++i) {
    if (fields[i].empty()) {
      return Wrong(line, "column " + std::to_string(i + 1) + " has no name.");
    }
    file.series.push_back({std::move(fields[i]), {}});
  }
  return {};
}

// The next line without its ending; moves `text` past it.
std::string_view TakeLine(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

// ---- JSON

// "json: it is no JSON at byte 120" with the line of that byte in front, as editors count.
Status WithLine(const Status& why, std::string_view text) {
  constexpr std::string_view kMark = "at byte ";
  const std::size_t at = why.message().find(kMark);
  std::size_t byte = 0;
  if (at == std::string::npos) return why;
  const char* digits = why.message().data() + at + kMark.size();
  std::from_chars(digits, why.message().data() + why.message().size(), byte);
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const auto lines = std::count(before.begin(), before.end(), '\n');
  return Wrong(static_cast<std::size_t>(lines) + 1,
               why.message() + ". A missing value is written null.");
}

Result<NamedSeries> SeriesOf(const std::string& name, const Json& array) {
  if (!array.is_array()) {
    return WrongFile("'" + name + "' is not an array of numbers. Expected {\"name\": [values]}.");
  }
  NamedSeries series{name, {}};
  series.values.reserve(array.items().size());
  for (const Json& item : array.items()) {
    if (!item.is_null() && !item.is_number()) {
      return WrongFile("the value " + std::to_string(series.values.size()) + " of '" + name +
                       "' (counted from 0) is neither a number nor null.");
    }
    series.values.push_back(item.AsDouble(kMissing));
  }
  return series;
}

}  // namespace

Result<SeriesFile> ParseSeriesCsv(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  SeriesFile file;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = TakeLine(text);
    if (Trimmed(line).empty()) continue;
    auto fields = Fields(line, number);
    if (!fields.ok()) return std::move(fields).status();
    if (file.series.empty()) {
      TACHO_TRY(SetHeader(file, *std::move(fields), number));
      TACHO_TRY(Check(file));
    } else {
      TACHO_TRY(AddRow(file, *std::move(fields), number));
    }
  }
  TACHO_TRY(Check(file));
  return file;
}

Result<SeriesFile> ParseSeriesJson(std::string_view text) {
  auto json = Json::Parse(text);
  if (!json.ok()) return WithLine(*json.error(), text);
  if (!json->is_object()) return WrongFile("it is no object. Expected {\"name\": [values]}.");
  SeriesFile file;
  for (const auto& [name, array] : json->members()) {
    auto series = SeriesOf(name, array);
    if (!series.ok()) return std::move(series).status();
    file.series.push_back(*std::move(series));
  }
  TACHO_TRY(Check(file));
  return file;
}

}  // namespace tacho::detect
