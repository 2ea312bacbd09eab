// Points in time as people type them: "2h", "yesterday", "2026-11-28T10:00Z".
#include "cli/when.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <utility>

#include "cli/values.h"
#include "common/toml.h"

namespace tacho {
namespace {

// Reads a text from the left. After the first mismatch every read fails.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool is_at_end() const { return text_.empty(); }
  bool Skip(char expected) {
    if (text_.empty() || text_.front() != expected) return false;
    text_.remove_prefix(1);
    return true;
  }
  // Exactly `digits` of them.
  std::optional<int> Number(std::size_t digits) {
    int value = 0;
    if (text_.size() < digits) return std::nullopt;
    for (const char c : text_.substr(0, digits)) {
      if (c < '0' || c > '9') return std::nullopt;
      value = value * 10 + (c - '0');
    }
    text_.remove_prefix(digits);
    return value;
  }
  // ".25" as nanoseconds; 0 where there is no point.
  std::optional<Nanos> Fraction() {
    if (!Skip('.')) return Nanos(0);
    auto digit = Number(1);
    if (!digit) return std::nullopt;
    std::int64_t nanos = 0;
    for (std::int64_t place = 100'000'000; digit; place /= 10) {
      nanos += *digit * place;
      digit = Number(1);
    }
    return Nanos(nanos);
  }

 private:
  std::string_view text_;
};

std::optional<std::chrono::sys_days> ScanDate(Scanner& scanner) {
  const auto year = scanner.Number(4);
  if (!year || !scanner.Skip('-')) return std::nullopt;
  const auto month = scanner.Number(2);
  if (!month || !scanner.Skip('-')) return std::nullopt;
  const auto day = scanner.Number(2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  // Nanoseconds in 64 bits end in 2262.
  if (!date.ok() || *year < 1970 || *year > 2261) return std::nullopt;
  return std::chrono::sys_days(date);
}

// "10:00", "10:00:05", "10:00:05.25"
std::optional<Nanos> ScanTimeOfDay(Scanner& scanner) {
  const auto hour = scanner.Number(2);
  if (!hour || *hour > 23 || !scanner.Skip(':')) return std::nullopt;
  const auto minute = scanner.Number(2);
  if (!minute || *minute > 59) return std::nullopt;
  const Nanos whole = std::chrono::hours(*hour) + std::chrono::minutes(*minute);
  if (!scanner.Skip(':')) return whole;
  const auto second = scanner.Number(2);
  if (!second || *second > 59) return std::nullopt;
  const auto fraction = scanner.Fraction();
  if (!fraction) return std::nullopt;
  return whole + std::chrono::seconds(*second) + *fraction;
}

// "", "Z" or "+02:00": what to take off to be in UTC.
std::optional<Nanos> ScanZone(Scanner& scanner) {
  if (scanner.is_at_end() || scanner.Skip('Z')) return Nanos(0);
  const int sign = scanner.Skip('+') ? 1 : scanner.Skip('-') ? -1 : 0;
  if (sign == 0) return std::nullopt;
  const auto hours = scanner.Number(2);
  if (!hours || *hours > 14) return std::nullopt;
  scanner.Skip(':');
  const auto minutes = scanner.Number(2);
  if (!minutes || *minutes > 59) return std::nullopt;
  return sign * (std::chrono::hours(*hours) + std::chrono::minutes(*minutes));
}

std::optional<WallTime> ParseDate(std::string_view text) {
  Scanner scanner(text);
  const auto date = ScanDate(scanner);
  if (!date) return std::nullopt;
  if (scanner.is_at_end()) return WallTime(*date);
  if (!scanner.Skip('T') && !scanner.Skip(' ')) return std::nullopt;
  const auto time = ScanTimeOfDay(scanner);
  if (!time) return std::nullopt;
  const auto zone = ScanZone(scanner);
  if (!zone || !scanner.is_at_end()) return std::nullopt;
  return WallTime(*date) + *time - *zone;
}

}  // namespace

Result<WallTime> ParseWhen(std::string_view text, WallTime now) {
  const auto today = std::chrono::floor<std::chrono::days>(now);
  if (text == "now") return now;
  if (text == "today") return WallTime(today);
  if (text == "yesterday") return WallTime(today - std::chrono::days(1));
  if (const auto ago = ParseDuration(text); ago && *ago <= now.time_since_epoch()) {
    return now - *ago;
  }
  if (const auto date = ParseDate(text)) return *date;
  return Status(Code::kInvalid,
                fmt::format("'{}' is no time. Write 2h, 3d, yesterday, 2026-11-28 or "
                            "2026-11-28T10:00Z.",
                            text));
}

void Window::AddTo(Json& question) const {
  if (since) question.Set("since_wall_ns", Count(*since));
  if (until) question.Set("until_wall_ns", Count(*until));
}

std::string Window::Describe() const {
  if (!since && !until) return "of all time";
  std::string text;
  if (since) text = fmt::format("since {}", FormatTime(*since));
  if (until) text += fmt::format("{}until {}", text.empty() ? "" : " ", FormatTime(*until));
  return text + " UTC";
}

Result<Window> ParseWindow(const CommandArguments& arguments, WallTime now) {
  Window window;
  for (const auto& [name, end] : {std::pair("since", &window.since), {"until", &window.until}}) {
    if (!arguments.Has(name)) continue;
    auto when = ParseWhen(arguments.Text(name), now);
    if (!when.ok()) return std::move(when).status().Under(fmt::format("--{}", name));
    *end = *when;
  }
  if (window.since && window.until && *window.since >= *window.until) {
    return Status(Code::kInvalid,
                  fmt::format("The window is empty: it starts at {} UTC and ends at {} UTC. A date "
                              "alone means its first instant.",
                              FormatTime(*window.since), FormatTime(*window.until)));
  }
  return window;
}

}  // namespace tacho
