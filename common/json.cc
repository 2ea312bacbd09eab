// JSON text by nlohmann's parser and printer, behind a plain value.
#include "common/json.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

namespace tacho {
namespace {

using Text = nlohmann::ordered_json;

constexpr std::size_t kMostDepth = 64;

// Builds a Json from the parser's events; refuses what is too deep or says one key twice.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return Put(Json()); }
  bool boolean(bool value) override { return Put(value); }
  bool number_integer(number_integer_t value) override { return Put(std::int64_t{value}); }
  bool number_unsigned(number_unsigned_t value) override { return Put(std::uint64_t{value}); }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return Put(value); }
  bool string(string_t& value) override { return Put(std::move(value)); }
  bool binary(binary_t& /*value*/) override { return Refuse("binary values are not JSON"); }

  bool start_object(std::size_t /*size*/) override { return Open(Json(Json::Object{})); }
  bool key(string_t& key) override {
    open_.back().key = std::move(key);
    return true;
  }
  bool end_object() override {
    return HasUniqueKeys(open_.back().value) ? Close() : Refuse("an object says one key twice");
  }
  bool start_array(std::size_t /*size*/) override { return Open(Json(Json::Array{})); }
  bool end_array() override { return Close(); }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*why*/) override {
    return Refuse("it is no JSON at byte " + std::to_string(position));
  }

  Result<Json> Take() {
    if (!refusal_.empty()) return Status(Code::kInvalid, "json: " + refusal_);
    return std::move(done_);
  }

 private:
  struct Level {
    Json value;
    std::string key;  // of the member that comes next
  };

  bool Refuse(std::string why) {
    refusal_ = std::move(why);
    return false;
  }
  bool Open(Json container) {
    if (open_.size() == kMostDepth) return Refuse("it is nested deeper than 64 levels");
    open_.push_back({std::move(container), ""});
    return true;
  }
  bool Close() {
    Json value = std::move(open_.back().value);
    open_.pop_back();
    return Put(std::move(value));
  }
  bool Put(Json value) {
    if (open_.empty()) {
      done_ = std::move(value);
    } else if (open_.back().value.is_array()) {
      open_.back().value.Push(std::move(value));
    } else {
      open_.back().value.Append(std::move(open_.back().key), std::move(value));
    }
    return true;
  }
  static bool HasUniqueKeys(const Json& object) {
    std::vector<std::string_view> keys;
    keys.reserve(object.members().size());
    for (const auto& [key, value] : object.members()) {
      keys.emplace_back(key);
    }
    std::sort(keys.begin(), keys.end());
    return std::adjacent_find(keys.begin(), keys.end()) == keys.end();
  }

  std::vector<Level> open_;
  Json done_;
  std::string refusal_;
};

}  // namespace

struct JsonPrinter {
  Text operator()(std::monostate /*null*/) const { return nullptr; }
  Text operator()(const Json::Array& array) const {
    Text text = Text::array();
    for (const Json& item : array) {
      text.push_back(std::visit(*this, item.value_));
    }
    return text;
  }
  Text operator()(const Json::Object& object) const {
    Text text = Text::object();
    for (const auto& [key, value] : object) {
      text.get_ref<Text::object_t&>().emplace_back(key, std::visit(*this, value.value_));
    }
    return text;
  }
  Text operator()(const auto& scalar) const { return scalar; }
};

Json::Json(std::uint64_t value) {
  if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    value_ = static_cast<std::int64_t>(value);
  } else {
    value_ = static_cast<double>(value);
  }
}

bool Json::is_number() const {
  return std::holds_alternative<std::int64_t>(value_) || std::holds_alternative<double>(value_);
}

bool Json::AsBool(bool fallback) const {
  const bool* value = std::get_if<bool>(&value_);
  return value != nullptr ? *value : fallback;
}

std::int64_t Json::AsInt(std::int64_t fallback) const {
  if (const auto* whole = std::get_if<std::int64_t>(&value_)) return *whole;
  const double* real = std::get_if<double>(&value_);
  constexpr double kPast = 9223372036854775808.0;  // 2^63
  if (real == nullptr || !(*real >= -kPast && *real < kPast) || std::trunc(*real) != *real) {
    return fallback;
  }
  return static_cast<std::int64_t>(*real);
}

double Json::AsDouble(double fallback) const {
  if (const auto* whole = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*whole);
  const double* real = std::get_if<double>(&value_);
  return real != nullptr ? *real : fallback;
}

std::string Json::AsText(std::string_view fallback) const {
  const auto* text = std::get_if<std::string>(&value_);
  return text != nullptr ? *text : std::string(fallback);
}

const Json::Array& Json::items() const {
  static const Array kNone;
  const auto* array = std::get_if<Array>(&value_);
  return array != nullptr ? *array : kNone;
}

const Json::Object& Json::members() const {
  static const Object kNone;
  const auto* object = std::get_if<Object>(&value_);
  return object != nullptr ? *object : kNone;
}

const Json& Json::operator[](std::string_view key) const {
  static const Json kNull;
  for (const auto& [name, value] : members()) {
    if (name == key) return value;
  }
  return kNull;
}

void Json::Set(std::string key, Json value) {
  if (is_null()) value_ = Object{};
  auto* object = std::get_if<Object>(&value_);
  if (object == nullptr) return;
  for (auto& [name, held] : *object) {
    if (name == key) {
      held = std::move(value);
      return;
    }
  }
  object->emplace_back(std::move(key), std::move(value));
}

void Json::Append(std::string key, Json value) {
  if (is_null()) value_ = Object{};
  if (auto* object = std::get_if<Object>(&value_)) {
    object->emplace_back(std::move(key), std::move(value));
  }
}

void Json::Push(Json value) {
  if (is_null()) value_ = Array{};
  if (auto* array = std::get_if<Array>(&value_)) array->push_back(std::move(value));
}

std::string Json::Dump(int indent) const {
  return std::visit(JsonPrinter{}, value_).dump(indent, ' ', false, Text::error_handler_t::replace);
}

Result<Json> Json::Parse(std::string_view text) {
  Builder builder;
  // Its answer is ignored since the builder keeps the reason.
  (void)nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  return builder.Take();
}

}  // namespace tacho
