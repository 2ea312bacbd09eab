// What a command accepts, declared, and what the user gave it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"

namespace tacho {

// A word by position. All but the last must be required; the user sees it as RUN or [RUN].
struct ArgumentDef {
  std::string_view name{};
  std::string_view placeholder{};
  std::string_view help{};
  bool is_required = true;
  bool takes_rest = false;     // every word after "--", whatever it looks like
  std::string_view choices{};  // "bash": the words it may be, where there are few
  bool is_repeatable = false;  // the last one may be: "LABEL..."
};

// "--since WHEN"; a flag where the placeholder is empty.
struct OptionDef {
  std::string_view name{};  // without the dashes
  char letter = 0;          // 'o' for -o; 0 for none
  std::string_view placeholder{};
  std::string_view help{};
  bool is_repeatable = false;
  std::string_view choices{};  // "table tsv csv": the words it may be, where there are few
};

// The values given, by the name of their definition.
class CommandArguments {
 public:
  void Add(std::string_view name, std::string value);

  bool Has(std::string_view name) const { return values_.contains(name); }
  // The last one given.
  std::string Text(std::string_view name, std::string_view fallback = "") const;
  std::vector<std::string> Texts(std::string_view name) const;
  // Fails with kInvalid where the text is no whole number from `least` to `most`.
  struct Range {
    std::int64_t least;
    std::int64_t most;
  };
  Result<std::int64_t> Int(std::string_view name, std::int64_t fallback, Range range) const;

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

// kInvalid naming the first required argument that is missing, or empty (its first word).
Status CheckRequired(std::span<const ArgumentDef> definitions, const CommandArguments& given);

// kInvalid naming the first option that takes one value and was given several: all but the last
// would have no effect.
Status CheckRepeated(std::span<const OptionDef> definitions, const CommandArguments& given);

}  // namespace tacho
