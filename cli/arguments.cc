// What a command accepts, declared, and what the user gave it.
#include "cli/arguments.h"

#include <charconv>
#include <fmt/format.h>
#include <utility>

namespace tacho {

void CommandArguments::Add(std::string_view name, std::string value) {
  values_[std::string(name)].push_back(std::move(value));
}

std::string CommandArguments::Text(std::string_view name, std::string_view fallback) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::string(fallback) : found->second.back();
}

std::vector<std::string> CommandArguments::Texts(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::vector<std::string>() : found->second;
}

Result<std::int64_t> CommandArguments::Int(std::string_view name, std::int64_t fallback,
                                           Range range) const {
  if (!Has(name)) return fallback;
  const std::string text = Text(name);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (!is_number || value < range.least || value > range.most) {
    return Status(Code::kInvalid, fmt::format("--{} takes a whole number from {} to {}, not '{}'.",
                                              name, range.least, range.most, text));
  }
  return value;
}

Status CheckRequired(std::span<const ArgumentDef> definitions, const CommandArguments& given) {
  for (const ArgumentDef& definition : definitions) {
    const auto words = given.Texts(definition.name);
    if (!definition.is_required || (!words.empty() && !words.front().empty())) continue;
    return Status(Code::kInvalid,
                  fmt::format("{} is missing: {}", definition.placeholder, definition.help));
  }
  return {};
}

Status CheckRepeated(std::span<const OptionDef> definitions, const CommandArguments& given) {
  for (const OptionDef& definition : definitions) {
    const bool takes_one = !definition.placeholder.empty() && !definition.is_repeatable;
    if (!takes_one || given.Texts(definition.name).size() <= 1) continue;
    return Status(Code::kInvalid,
                  fmt::format("--{} is given {} times, and takes one value.", definition.name,
                              given.Texts(definition.name).size()));
  }
  return {};
}

}  // namespace tacho
