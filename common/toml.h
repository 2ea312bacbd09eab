// Configuration files: a tree of tables whose every key knows its line, and a reader that lists all
// mistakes at once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/status.h"
#include "common/time.h"

namespace tacho {

struct TomlValue;
using TomlArray = std::vector<TomlValue>;
using TomlTable = std::map<std::string, TomlValue, std::less<>>;

struct TomlValue {
  std::variant<bool, std::int64_t, double, std::string, TomlArray, TomlTable> value;
  int line = 0;
};

// Fails with kInvalid: "budgets.toml:7: ..." `file` is only for the messages.
Result<TomlTable> ParseToml(std::string_view text, std::string_view file);

// All complaints of a file, "file:line: what" by line, so that an owner mends it once, not key by
// key.
using TomlComplaints = std::multimap<int, std::string>;
// ok where there is none, else kInvalid with a line each.
Status AsStatus(const TomlComplaints& complaints);

// Reads known keys from one table and remembers which were asked for; whatever is left is unknown.
class TomlReader {
 public:
  TomlReader(const TomlTable& table, std::string file, TomlComplaints& complaints, int line = 1)
      : table_(&table), file_(std::move(file)), complaints_(&complaints), line_(line) {}

  // Each leaves `to` alone when the key is absent and complains when the type is wrong.
  void Text(std::string_view key, std::string& to);
  void Path(std::string_view key, std::filesystem::path& to);
  void Bool(std::string_view key, bool& to);
  void Int(std::string_view key, std::int64_t& to, std::int64_t least, std::int64_t most);
  void Number(std::string_view key, double& to);
  // "250ms", "2s", "5m", "1h", "7d".
  void Duration(std::string_view key, Nanos& to, Nanos least, Nanos most);
  // "64MiB", "512KiB", "1GiB", "4096".
  void ByteSize(std::string_view key, std::int64_t& to, std::int64_t least, std::int64_t most);
  void Texts(std::string_view key, std::vector<std::string>& to);
  // Every key of a table of strings: [setup].
  void TextMap(std::string_view key, std::map<std::string, std::string>& to);

  bool Has(std::string_view key) const { return table_->contains(key); }
  // The key's line; where it is missing, the table's.
  int LineOf(std::string_view key) const;
  // The table under `key`, or nullopt.
  std::optional<TomlReader> Table(std::string_view key);
  // The tables of [[key]], in order.
  std::vector<TomlReader> Tables(std::string_view key);

  void Complain(int line, std::string_view what);  // "file:line: what"
  // Complains of every key nobody asked for, naming the nearest that is known.
  void Finish();

 private:
  const TomlValue* Find(std::string_view key);
  // The value if it has the type, else a complaint that it "must be `wanted`"; null where absent.
  template <class T>
  const T* FindAs(std::string_view key, std::string_view wanted);

  const TomlTable* table_;
  std::string file_;
  TomlComplaints* complaints_;
  int line_;
  std::vector<std::string> asked_;
};

// "250ms" -> 250,000,000 ns. nullopt if it is none.
std::optional<Nanos> ParseDuration(std::string_view text);
// Of `known`, the one nearest to `word` by edit distance, if near enough to be meant.
std::optional<std::string> NearestWord(std::string_view word,
                                       const std::vector<std::string>& known);

}  // namespace tacho
