// Configuration files by toml++, which is seen only here.
#include "common/toml.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <numeric>
#include <utility>

// toml++ 3.3 asserts, and without assertions assumes, that a key's first character is one that a
// key may have, then handles any other properly. So neither may be compiled in.
#undef NDEBUG
#define TOML_ASSERT(expression) static_cast<void>(0)
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "common/toml_text.h"

namespace tacho {
namespace {

// Deeper tables than this are no configuration; toml++ itself stops at 256.
constexpr int kMostDepth = 32;

std::string At(std::string_view file, int line, std::string_view what) {
  return std::string(file) + ":" + std::to_string(line) + ": " + std::string(what);
}

int LineOfNode(const toml::node& node) {
  return static_cast<int>(node.source().begin.line);
}

// Turns toml++'s tree into ours; the first value that has no place in it is kept as a complaint.
class Converter {
 public:
  TomlTable Table(const toml::table& table, int depth) {
    TomlTable all;
    for (const auto& [key, node] : table) {
      TomlValue value = Value(node, depth);
      // Of a value the key's line: an owner looks for the key, and arrays may span lines.
      value.line = static_cast<int>(key.source().begin.line);
      all.emplace(FromAscii(key.str()), std::move(value));
    }
    return all;
  }

  const std::string& complaint() const { return complaint_; }
  int line() const { return line_; }

 private:
  TomlValue Value(const toml::node& node, int depth) {
    TomlValue value;
    value.line = LineOfNode(node);
    if (depth > kMostDepth) {
      Complain(node, "tables are nested too deeply");
    } else if (const auto* flag = node.as_boolean()) {
      value.value = flag->get();
    } else if (const auto* whole = node.as_integer()) {
      value.value = whole->get();
    } else if (const auto* real = node.as_floating_point()) {
      value.value = real->get();
    } else if (const auto* text = node.as_string()) {
      value.value = FromAscii(text->get());
    } else if (const auto* array = node.as_array()) {
      TomlArray items;
      for (const toml::node& item : *array) {
        items.push_back(Value(item, depth + 1));
      }
      value.value = std::move(items);
    } else if (const auto* table = node.as_table()) {
      value.value = Table(*table, depth + 1);
    } else {
      Complain(node, "dates and times are not used here; write a text");
    }
    return value;
  }

  void Complain(const toml::node& node, std::string_view what) {
    if (!complaint_.empty()) return;
    complaint_ = what;
    line_ = LineOfNode(node);
  }

  std::string complaint_;
  int line_ = 0;
};

// The number of `text` times the unit that follows it; nullopt if it is none or overflows.
template <std::size_t N>
std::optional<std::int64_t> ParseWithUnit(
    std::string_view text, const std::array<std::pair<std::string_view, std::int64_t>, N>& units) {
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || count < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  for (const auto& [unit, factor] : units) {
    if (unit != text) continue;
    if (count > std::numeric_limits<std::int64_t>::max() / factor) return std::nullopt;
    return count * factor;
  }
  return std::nullopt;
}

constexpr std::array<std::pair<std::string_view, std::int64_t>, 7> kDurations = {{
    {"ns", 1},
    {"us", 1'000},
    {"ms", 1'000'000},
    {"s", 1'000'000'000},
    {"m", 60'000'000'000},
    {"h", 3'600'000'000'000},
    {"d", 86'400'000'000'000},
}};

constexpr std::array<std::pair<std::string_view, std::int64_t>, 5> kByteSizes = {{
    {"", 1},
    {"B", 1},
    {"KiB", std::int64_t{1} << 10},
    {"MiB", std::int64_t{1} << 20},
    {"GiB", std::int64_t{1} << 30},
}};

// The largest unit that says the size exactly.
template <std::size_t N>
std::string InUnits(std::int64_t count,
                    const std::array<std::pair<std::string_view, std::int64_t>, N>& units) {
  auto best = units.begin();
  for (auto unit = units.begin(); unit != units.end(); ++unit) {
    if (count != 0 && count % unit->second == 0) best = unit;
  }
  return std::to_string(count / best->second) + std::string(best->first);
}

// Steps of one letter (changed, added, left out, or two neighbours swapped) between two words.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

Result<TomlTable> ParseToml(std::string_view text, std::string_view file) {
  if (const auto line = LineOfBadText(text)) {
    return Status(Code::kInvalid, At(file, *line, "this is not UTF-8, or writes '~' as an escape"));
  }
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const toml::parse_result parsed = toml::parse(ToAscii(text), std::string(file));
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return Status(Code::kInvalid, At(file, static_cast<int>(error.source().begin.line),
                                     FromAscii(error.description())));
  }
  Converter converter;
  TomlTable table = converter.Table(parsed.table(), 0);
  if (!converter.complaint().empty()) {
    return Status(Code::kInvalid, At(file, converter.line(), converter.complaint()));
  }
  return table;
}

const TomlValue* TomlReader::Find(std::string_view key) {
  asked_.emplace_back(key);
  const auto found = table_->find(key);
  return found == table_->end() ? nullptr : &found->second;
}

template <class T>
const T* TomlReader::FindAs(std::string_view key, std::string_view wanted) {
  const TomlValue* value = Find(key);
  if (value == nullptr) return nullptr;
  const T* held = std::get_if<T>(&value->value);
  if (held == nullptr) Complain(value->line, std::string(key) + " must be " + std::string(wanted));
  return held;
}

void TomlReader::Text(std::string_view key, std::string& to) {
  if (const auto* text = FindAs<std::string>(key, "a text in quotes")) to = *text;
}

void TomlReader::Path(std::string_view key, std::filesystem::path& to) {
  std::string text = to.string();
  Text(key, text);
  to = text;
}

void TomlReader::Bool(std::string_view key, bool& to) {
  if (const auto* flag = FindAs<bool>(key, "true or false")) to = *flag;
}

void TomlReader::Int(std::string_view key, std::int64_t& to, std::int64_t least,
                     std::int64_t most) {
  const auto* number = FindAs<std::int64_t>(key, "a whole number");
  if (number == nullptr) return;
  if (*number < least || *number > most) {
    return Complain(LineOf(key), std::string(key) + " is " + std::to_string(*number) +
                                     ", outside " + std::to_string(least) + " to " +
                                     std::to_string(most));
  }
  to = *number;
}

void TomlReader::Number(std::string_view key, double& to) {
  const TomlValue* value = Find(key);
  if (value == nullptr) return;
  const auto* whole = std::get_if<std::int64_t>(&value->value);
  const auto* real = std::get_if<double>(&value->value);
  if (whole != nullptr) {
    to = static_cast<double>(*whole);
  } else if (real != nullptr && *real - *real == 0) {  // neither infinite nor NaN
    to = *real;
  } else {
    Complain(value->line, std::string(key) + " must be a number");
  }
}

void TomlReader::Duration(std::string_view key, Nanos& to, Nanos least, Nanos most) {
  constexpr std::string_view kWanted =
      "a duration such as \"250ms\", \"2s\", \"5m\", \"1h\", \"7d\"";
  const auto* text = FindAs<std::string>(key, kWanted);
  if (text == nullptr) return;
  const auto duration = ParseDuration(*text);
  if (!duration) {
    return Complain(LineOf(key), std::string(key) + " must be " + std::string(kWanted));
  }
  if (*duration < least || *duration > most) {
    return Complain(LineOf(key), std::string(key) + " is " + *text + ", outside " +
                                     InUnits(least.count(), kDurations) + " to " +
                                     InUnits(most.count(), kDurations));
  }
  to = *duration;
}

void TomlReader::ByteSize(std::string_view key, std::int64_t& to, std::int64_t least,
                          std::int64_t most) {
  constexpr std::string_view kWanted = "a size such as \"64MiB\", \"512KiB\", \"1GiB\" or \"4096\"";
  const TomlValue* value = Find(key);
  if (value == nullptr) return;
  std::optional<std::int64_t> size;
  if (const auto* text = std::get_if<std::string>(&value->value)) {
    size = ParseWithUnit(*text, kByteSizes);
  } else if (const auto* number = std::get_if<std::int64_t>(&value->value)) {
    size = *number;
  }
  if (!size) return Complain(value->line, std::string(key) + " must be " + std::string(kWanted));
  if (*size < least || *size > most) {
    return Complain(value->line, std::string(key) + " is outside " + InUnits(least, kByteSizes) +
                                     " to " + InUnits(most, kByteSizes));
  }
  to = *size;
}

void TomlReader::Texts(std::string_view key, std::vector<std::string>& to) {
  const auto* array = FindAs<TomlArray>(key, "a list of texts");
  if (array == nullptr) return;
  std::vector<std::string> texts;
  for (const TomlValue& item : *array) {
    const auto* text = std::get_if<std::string>(&item.value);
    if (text == nullptr) return Complain(item.line, std::string(key) + " must hold only texts");
    texts.push_back(*text);
  }
  to = std::move(texts);
}

void TomlReader::TextMap(std::string_view key, std::map<std::string, std::string>& to) {
  const auto* table = FindAs<TomlTable>(key, "a table of texts");
  if (table == nullptr) return;
  for (const auto& [name, value] : *table) {
    const auto* text = std::get_if<std::string>(&value.value);
    if (text != nullptr) {
      to[name] = *text;
    } else {
      Complain(value.line, std::string(key) + "." + name + " must be a text in quotes");
    }
  }
}

int TomlReader::LineOf(std::string_view key) const {
  const auto found = table_->find(key);
  return found == table_->end() ? line_ : found->second.line;
}

std::optional<TomlReader> TomlReader::Table(std::string_view key) {
  const auto* table = FindAs<TomlTable>(key, "a table");
  if (table == nullptr) return std::nullopt;
  return TomlReader(*table, file_, *complaints_, LineOf(key));
}

std::vector<TomlReader> TomlReader::Tables(std::string_view key) {
  std::vector<TomlReader> readers;
  const std::string wanted = "written as [[" + std::string(key) + "]]";
  const auto* array = FindAs<TomlArray>(key, wanted);
  if (array == nullptr) return readers;
  for (const TomlValue& item : *array) {
    if (const auto* table = std::get_if<TomlTable>(&item.value)) {
      readers.emplace_back(*table, file_, *complaints_, item.line);
    } else {
      Complain(item.line, std::string(key) + " must be " + wanted);
    }
  }
  return readers;
}

void TomlReader::Complain(int line, std::string_view what) {
  complaints_->emplace(line, At(file_, line, what));
}

void TomlReader::Finish() {
  for (const auto& [key, value] : *table_) {
    if (std::find(asked_.begin(), asked_.end(), key) != asked_.end()) continue;
    std::string what = "unknown key " + key;
    if (const auto nearest = NearestWord(key, asked_)) what += "; did you mean " + *nearest + "?";
    Complain(value.line, what);
  }
}

Status AsStatus(const TomlComplaints& complaints) {
  if (complaints.empty()) return {};
  std::string lines;
  for (const auto& [line, complaint] : complaints)
    lines += (lines.empty() ? "" : "\n") + complaint;
  return {Code::kInvalid, std::move(lines)};
}

std::optional<Nanos> ParseDuration(std::string_view text) {
  const auto nanos = ParseWithUnit(text, kDurations);
  if (!nanos) return std::nullopt;
  return Nanos(*nanos);
}

std::optional<std::string> NearestWord(std::string_view word,
                                       const std::vector<std::string>& known) {
  // One mistake in three letters is a slip; more is another word.
  std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::optional<std::string> nearest;
  for (const std::string& candidate : known) {
    const std::size_t distance = EditDistance(word, candidate);
    if (distance >= best) continue;
    best = distance;
    nearest = candidate;
  }
  return nearest;
}

}  // namespace tacho
