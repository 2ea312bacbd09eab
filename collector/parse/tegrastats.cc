// Takes a tegrastats line apart, token by token.
#include "collector/parse/tegrastats.h"

#include <algorithm>
#include <optional>

#include "collector/parse/numbers.h"
#include "collector/parse/tegrastats_cores.h"
#include "collector/parse/tegrastats_engines.h"
#include "collector/parse/tegrastats_token.h"
#include "collector/parse/words.h"

namespace tacho {
namespace {

using enum TegrastatsKind;

constexpr std::int64_t kOffZone = -256'000;  // printed before R36 for a zone without power

// "10-26-2025" has the shape "00-00-0000".
bool HasShape(std::string_view text, std::string_view shape) {
  return std::ranges::equal(
      text, shape, [](char c, char s) { return s == '0' ? c >= '0' && c <= '9' : c == s; });
}

// Fills one line from one text.
class LineParser {
 public:
  LineParser(std::string_view text, TegrastatsLine& line) : words_(text), readings_(line) {}

  void Run() {
    TegrastatsLine& line = readings_.line();
    const bool is_sample_like = SkipPrefix();
    // Else the first word may be the rest of a longer one.
    if (!is_sample_like && words_.word() != "CPU" && words_.word() != "SWAP") Unknown();
    while (!words_.at_end()) {
      Token(is_sample_like);
    }
    if (words_.was_cut()) ++line.bad_fields;
    line.is_sample = std::ranges::any_of(line.readings, IsProof);
    if (!line.is_sample) Disbelieve();
  }

 private:
  // Any program may print a word with an '@' or a name with two numbers; memory, cores, the memory
  // controller and the GPU have tokens that nothing else has.
  static bool IsProof(const TegrastatsReading& reading) {
    switch (reading.kind) {
      case kEngineLoad:
      case kEngineFrequency:
      case kTemperature:
      case kPower:
        return false;
      default:
        return true;
    }
  }

  void Disbelieve() {
    TegrastatsLine& line = readings_.line();
    line.readings.clear();
    line.rails = line.rails_at_mean = 0;
    line.has_power = false;
  }

  // Loggers put their own stamps and names before a sample: it starts at its stamp, or at RAM.
  bool SkipPrefix() {
    for (Words ahead = words_; !ahead.at_end(); ahead.Next()) {
      const bool is_stamp =
          HasShape(ahead.word(), "00-00-0000") && HasShape(ahead.Ahead(), "00:00:00");
      if (!is_stamp && ahead.word() != "RAM") continue;
      words_ = ahead;
      if (is_stamp) Stamp();
      return true;
    }
    return false;
  }

  void Stamp() {
    const char* start = words_.word().data();
    words_.Next();
    const char* end = words_.word().data() + words_.word().size();
    readings_.line().stamp = std::string_view(start, static_cast<std::size_t>(end - start));
    words_.Next();
  }

  void Token(bool is_sample_like) {
    const std::string_view word = words_.word();
    if (word == "RAM") return Memory(kRamUsed, kRamTotal);
    if (word == "SWAP") return Memory(kSwapUsed, kSwapTotal);
    if (word == "IRAM") return Memory(kIramUsed, kIramTotal);
    if (word == "MTS") return Optimiser();
    if ((word == "CPU" || word == "cpu") && words_.Ahead().starts_with("[")) {
      words_.Next();
      return ReadCores(words_, readings_);
    }
    if (Temperature() || Power() || ReadEngine(words_, is_sample_like, readings_)) return;
    Unknown();
  }

  void Unknown() {
    if (words_.at_end()) return;
    readings_.CountUnknown();
    words_.Next();
  }

  // RAM 3903/7772MB (lfb 134x4MB) · SWAP 0/3886MB (cached 0MB) · IRAM 0/252kB(lfb 252kB)
  void Memory(TegrastatsKind used, TegrastatsKind total) {
    words_.Next();
    std::string_view value = words_.word();
    if (!IsValueLike(value)) {
      readings_.CountBad();
    } else {
      const std::size_t bracket = value.find('(');
      UsedOfTotal(used, total, value.substr(0, bracket));
      if (bracket != std::string_view::npos) return InBrackets(used, value.substr(bracket));
      words_.Next();
    }
    if (words_.word().starts_with("(")) InBrackets(used, words_.word());
  }

  // "3903/7772MB": the unit is that of both.
  void UsedOfTotal(TegrastatsKind used, TegrastatsKind total, std::string_view value) {
    std::string_view total_text = value;
    const auto used_count = NaturalCount(TakeUntil(total_text, '/'));
    const std::int64_t scale = total_text.ends_with("MB") ? 1 << 20 : 1 << 10;
    const auto total_bytes = BytesOf(total_text);
    if (!used_count || !total_bytes) return readings_.CountBad();
    readings_.Add({.kind = used, .value = *used_count * scale});
    readings_.Add({.kind = total, .value = *total_bytes});
  }

  // At the word that ends in `label`, "(lfb" or "(cached"; the word behind it is the value.
  void InBrackets(TegrastatsKind used, std::string_view label) {
    words_.Next();
    std::string_view value = words_.word();
    if ((label != "(lfb" && label != "(cached") || !IsValueLike(value)) {
      return readings_.CountBad();
    }
    words_.Next();
    const bool is_closed = TakeEnd(value, ")");
    const std::size_t times = value.find('x');
    const bool has_count = times != std::string_view::npos;
    const auto count = NaturalCount(value.substr(0, has_count ? times : 0));
    const auto bytes = BytesOf(value.substr(has_count ? times + 1 : 0));
    if (!is_closed || !bytes || has_count != count.has_value()) {
      readings_.CountBad();
    } else if (used == kSwapUsed) {
      readings_.Add({.kind = kSwapCached, .value = *bytes});
    } else if (used == kRamUsed && has_count) {
      readings_.Add({.kind = kLargestFreeBlock, .value = *bytes});
      readings_.Add({.kind = kFreeBlocks, .value = *count});
    } else {
      readings_.CountIgnored();  // IRAM is one block: total less used says it too
    }
  }

  // MTS fg 1% bg 9%
  void Optimiser() {
    words_.Next();
    for (const std::string_view name : {"fg", "bg"}) {
      if (words_.word() != name) {
        readings_.CountBad();
        continue;
      }
      words_.Next();
      const auto load = PercentOf(words_.word());
      if (load) {
        readings_.Add({.kind = kOptimiserLoad, .name = name, .value = *load});
      } else {
        readings_.CountBad();
      }
      if (IsValueLike(words_.word()) || words_.word().ends_with("%")) words_.Next();
    }
  }

  // cpu@47.687C · gpu@-256C · cpu@51.9C/52.4C, where the second is the highest so far
  bool Temperature() {
    std::string_view value = words_.word();
    const std::string_view name = TakeUntil(value, '@');
    if (!IsTegrastatsName(name) || !IsValueLike(value)) return false;
    words_.Next();
    std::string_view now = TakeUntil(value, '/');
    const auto thousandths = TakeEnd(now, "C") ? Thousandths(now) : std::nullopt;
    if (!thousandths) {
      readings_.CountBad();
    } else if (*thousandths == kOffZone) {
      readings_.Add({.kind = kTemperature, .name = name, .why = Why::kGated});
    } else if (name == "PMIC" && (*thousandths == 100'000 || *thousandths == 50'000)) {
      readings_.CountIgnored();  // a constant of the driver, no measurement
    } else {
      readings_.Add({.kind = kTemperature, .name = name, .value = *thousandths});
    }
    return true;
  }

  // VDD_IN 4067/4012 · VDD_IN 4067mW/4012mW · VDD_IN 4067mW/4012mW/5100mW: now, mean, highest
  bool Power() {
    const std::string_view name = words_.word();
    std::string_view value = words_.Ahead();
    if (!IsTegrastatsName(name) || !IsValueLike(value) ||
        value.find('/') == std::string_view::npos) {
      return false;
    }
    words_.Next();
    words_.Next();
    if (name == "NC") {
      readings_.CountIgnored();  // an input of the power monitor that nothing is connected to
      return true;
    }
    const auto now = Milliwatts(value);
    const auto mean = Milliwatts(value);
    const auto highest = value.empty() ? mean : Milliwatts(value);
    if (!now || !mean || !highest || !value.empty()) {
      readings_.CountBad();
    } else if (readings_.Add({.kind = kPower, .name = name, .value = *now})) {
      TegrastatsLine& line = readings_.line();
      ++line.rails;
      if (*now == *mean) ++line.rails_at_mean;
      if (*now != 0) line.has_power = true;
    }
    return true;
  }

  // Takes the next of "4067mW/4012mW".
  static std::optional<std::int64_t> Milliwatts(std::string_view& rest) {
    std::string_view text = TakeUntil(rest, '/');
    TakeEnd(text, "mW");
    return SignedCount(text);
  }

  Words words_;
  TegrastatsReadings readings_;
};

}  // namespace

void ParseTegrastats(std::string_view text, TegrastatsLine& line) {
  line.readings.clear();
  line = TegrastatsLine{.readings = std::move(line.readings)};
  if (text.starts_with("#")) return;
  LineParser(text, line).Run();
}

bool TegrastatsRestarts::IsRestart(const TegrastatsLine& line) {
  if (line.rails == 0) return false;
  const bool is_at_mean = line.rails_at_mean == line.rails;
  const bool is_restart = is_at_mean && line.has_power && had_moved_;
  had_moved_ = !is_at_mean;
  return is_restart;
}

}  // namespace tacho
