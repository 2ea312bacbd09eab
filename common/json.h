// JSON as a plain value: what the local socket, the fleet's answers and `-o json` are made of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "common/status.h"

namespace tacho {

// Null, bool, integer, double, text, array or object. Objects keep the order of insertion.
class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;

  Json() = default;
  // Implicit on purpose: Json::Object{{"robot", name}, {"count", 3}} reads like JSON.
  // NOLINTBEGIN(google-explicit-constructor)
  Json(bool value) : value_(value) {}
  Json(int value) : value_(std::int64_t{value}) {}
  Json(std::int64_t value) : value_(value) {}
  // Past the largest int64 it becomes a double.
  Json(std::uint64_t value);
  Json(double value) : value_(value) {}
  Json(std::string value) : value_(std::move(value)) {}
  Json(std::string_view value) : value_(std::string(value)) {}
  Json(const char* value) : value_(std::string(value)) {}
  Json(Array value) : value_(std::move(value)) {}
  Json(Object value) : value_(std::move(value)) {}
  // NOLINTEND(google-explicit-constructor)

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  bool is_array() const { return std::holds_alternative<Array>(value_); }
  bool is_object() const { return std::holds_alternative<Object>(value_); }
  bool is_text() const { return std::holds_alternative<std::string>(value_); }
  bool is_number() const;

  // Reading never fails: what is not of the asked kind gives the fallback. A whole double is also
  // an integer, an integer also a double.
  bool AsBool(bool fallback = false) const;
  std::int64_t AsInt(std::int64_t fallback = 0) const;
  double AsDouble(double fallback = 0) const;
  std::string AsText(std::string_view fallback = "") const;
  const Array& items() const;                          // empty if no array
  const Object& members() const;                       // empty if no object
  const Json& operator[](std::string_view key) const;  // null if absent

  // Set, Append and Push turn null into what they need, and do nothing to a value of another kind.
  void Set(std::string key, Json value);  // replaces
  // Requires: no member of that key. Spares the search where many are added.
  void Append(std::string key, Json value);
  void Push(Json value);

  // One line, no spaces; or indented by `indent`. Not-finite doubles become null; bad UTF-8 is
  // replaced.
  std::string Dump(int indent = -1) const;
  // Fails with kInvalid and the byte offset; nesting deeper than 64 and a key said twice in one
  // object are refused. An integer past 64 bits becomes a double.
  static Result<Json> Parse(std::string_view text);

  bool operator==(const Json&) const = default;

 private:
  friend struct JsonPrinter;
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> value_;
};

}  // namespace tacho
