// Success, a failure with its sentence, or a value: how every function of the house answers.
#pragma once

#include <cassert>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace tacho {

// What kind of failure, numbered as gRPC numbers it so that rpc/ converts by value.
enum class Code {
  kOk = 0,
  kCancelled = 1,
  kInvalid = 3,
  kTimeout = 4,
  kNotFound = 5,
  kExists = 6,
  kDenied = 7,
  kExhausted = 8,
  kUnsupported = 12,
  kInternal = 13,
  kUnavailable = 14,
  kCorrupt = 15,
};

// Success, or one failure and the sentence an operator needs.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Code code, std::string message) : code_(code), message_(std::move(message)) {
    assert(code != Code::kOk);
  }

  bool ok() const { return code_ == Code::kOk; }
  Code code() const { return code_; }
  const std::string& message() const { return message_; }

  // Says what was being done: "spool: open segment 7: no space left on device".
  Status Under(std::string_view action) && {
    if (!ok()) message_.insert(0, std::string(action) + ": ");
    return std::move(*this);
  }

 private:
  Code code_ = Code::kOk;
  std::string message_;
};

// A value, or the Status that explains its absence.
template <class T>
class [[nodiscard]] Result {
 public:
  // Both implicit, so that a function can `return value;` and `return Status(...);`.
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(T value) : state_(std::in_place_index<1>, std::move(value)) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(Status why) : state_(std::in_place_index<0>, std::move(why)) {
    assert(!std::get<0>(state_).ok());
  }

  bool ok() const { return state_.index() == 1; }
  T& operator*() & { return std::get<1>(state_); }
  const T& operator*() const& { return std::get<1>(state_); }
  T&& operator*() && { return std::get<1>(std::move(state_)); }
  T* operator->() { return &std::get<1>(state_); }
  const T* operator->() const { return &std::get<1>(state_); }
  Status status() && { return ok() ? Status() : std::get<0>(std::move(state_)); }
  const Status* error() const { return std::get_if<0>(&state_); }

 private:
  std::variant<Status, T> state_;
};

// Returns from the calling function when `expression` (a Status) is a failure.
#define TACHO_TRY(expression)                                                        \
  do {                                                                               \
    if (::tacho::Status tacho_try = (expression); !tacho_try.ok()) return tacho_try; \
  } while (false)

}  // namespace tacho
