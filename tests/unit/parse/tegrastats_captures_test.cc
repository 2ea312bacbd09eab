// Lines captured from real boards, read by the parser and, apart from it, by regular expressions
// that know nothing of it: both must say the same, no more and no less.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "collector/parse/tegrastats.h"

namespace tacho {
namespace {

namespace fs = std::filesystem;
using Said = std::map<std::string, std::string>;  // "power VDD_IN" -> "4067", or why not

const fs::path kCaptures = fs::path(TACHO_SOURCE_DIR) / "../shared/data/tegrastats";

std::string WhyText(Why why) {
  return "absent:" + std::to_string(static_cast<int>(why));
}
const std::string kOff = WhyText(Why::kGated);

std::string KindText(TegrastatsKind kind) {
  static const std::vector<std::string> kNames = {
      "ram_used", "ram_total",  "lfb",       "lfb_count", "swap_used", "swap_total", "swap_cached",
      "iram",     "iram_total", "core",      "core_hz",   "gpu",       "gpu_hz",     "emc",
      "emc_hz",   "engine",     "engine_hz", "mts",       "temp",      "power"};
  return kNames.at(static_cast<std::size_t>(kind));
}

Said SaidByParser(const TegrastatsLine& line) {
  Said said;
  for (const TegrastatsReading& r : line.readings) {
    const std::string key =
        KindText(r.kind) + " " + std::string(r.name) + "#" + std::to_string(r.index);
    EXPECT_TRUE(
        said.emplace(key, r.why == Why::kPresent ? std::to_string(r.value) : WhyText(r.why)).second)
        << key << " twice";
  }
  return said;
}

// The second opinion.
class Expressions {
 public:
  explicit Expressions(std::string line) : line_(std::move(line)) {}

  Said Read() {
    Memory();
    Cores();
    Gpu();
    Engines();
    Zones();
    Rails();
    return said_;
  }

 private:
  using Match = std::smatch;
  template <class F>
  void Each(const char* expression, F use) {
    static std::map<std::string, std::regex> cache;
    const auto [found, is_new] = cache.try_emplace(expression, expression);
    for (std::sregex_iterator i(line_.begin(), line_.end(), found->second), end; i != end; ++i) {
      use(*i);
    }
  }
  void Say(const std::string& key, const std::string& value) { said_.emplace(key, value); }
  void SayNumber(const std::string& key, long long value) { Say(key, std::to_string(value)); }
  static long long Mega(const std::string& text) { return std::stoll(text) * 1'000'000; }
  static long long Bytes(const std::string& number, const std::string& unit) {
    return std::stoll(number) * (unit == "MB" ? 1048576 : 1024);
  }

  void Memory() {
    Each(R"((?:^|\s)RAM\s+(\d+)/(\d+)(MB)\s+\(lfb\s+(\d+)x(\d+)(kB|MB)\))", [&](const Match& m) {
      SayNumber("ram_used #0", Bytes(m[1], m[3]));
      SayNumber("ram_total #0", Bytes(m[2], m[3]));
      SayNumber("lfb_count #0", std::stoll(m[4]));
      SayNumber("lfb #0", Bytes(m[5], m[6]));
    });
    Each(R"(SWAP\s+(\d+)/(\d+)MB\s+\(cached\s+(\d+)MB\))", [&](const Match& m) {
      SayNumber("swap_used #0", Bytes(m[1], "MB"));
      SayNumber("swap_total #0", Bytes(m[2], "MB"));
      SayNumber("swap_cached #0", Bytes(m[3], "MB"));
    });
    Each(R"(IRAM\s+(\d+)/(\d+)kB)", [&](const Match& m) {
      SayNumber("iram #0", Bytes(m[1], "kB"));
      SayNumber("iram_total #0", Bytes(m[2], "kB"));
    });
    Each(R"(MTS fg (\d+)% bg (\d+)%)", [&](const Match& m) {
      SayNumber("mts fg#0", std::stoll(m[1]));
      SayNumber("mts bg#0", std::stoll(m[2]));
    });
  }

  void Cores() {
    Each(R"(CPU\s+\[([^\]]*)\])", [&](const Match& m) {
      static const std::regex kCore(R"((\d+)%@(\d+)|off|\.\.\.)");
      const std::string list = m[1];
      int core = 0;
      for (std::sregex_iterator i(list.begin(), list.end(), kCore), end; i != end; ++i, ++core) {
        const std::string at = " #" + std::to_string(core);
        const std::string text = (*i)[0];
        if (text == "...") continue;
        Say("core" + at, text == "off" ? kOff : std::string((*i)[1]));
        text == "off" ? Say("core_hz" + at, kOff) : SayNumber("core_hz" + at, Mega((*i)[2]));
      }
    });
  }

  void Gpu() {
    Each(R"(GR3D(2?)_FREQ\s+(?:(\d+)%)?(?:@\[?([\d,]+)\]?)?(?=\s))", [&](const Match& m) {
      int cluster = m[1].length() > 0 ? 1 : 0;
      const std::string gpu = "gpu #" + std::to_string(cluster);
      Say(gpu, m[2].matched ? std::string(m[2]) : WhyText(Why::kMissing));
      static const std::regex kClock(R"(\d+)");
      const std::string clocks = m[3];
      for (std::sregex_iterator i(clocks.begin(), clocks.end(), kClock), end; i != end; ++i) {
        SayNumber("gpu_hz #" + std::to_string(cluster++), Mega((*i)[0]));
      }
    });
    Each(R"(EMC_FREQ\s+(\d+)%(?:@(\d+))?(?=\s))", [&](const Match& m) {
      const bool is_hidden = m[1] == "0" && !m[2].matched;
      Say("emc #0", is_hidden ? WhyText(Why::kForbidden) : std::string(m[1]));
      if (m[2].matched) SayNumber("emc_hz #0", Mega(m[2]));
    });
  }

  void Engines() {
    Each(
        R"(\s((?:NVENC|NVDEC|NVJPG|MSENC|VIC|OFA|NVDLA|PVA|APE)\d*)(?:_FREQ)?\s+(?:(off)|(\d+)|@(\d+)|(\d+)%@(\d+))(?=\s))",
        [&](const Match& m) {
          const std::string name = " " + std::string(m[1]) + "#0";
          if (m[2].matched) {
            Say("engine" + name, kOff);
            Say("engine_hz" + name, kOff);
          }
          for (const std::size_t group : {3u, 4u, 6u}) {
            if (m[group].matched) SayNumber("engine_hz" + name, Mega(m[group]));
          }
          if (m[5].matched) Say("engine" + name, m[5]);
        });
  }

  void Zones() {
    Each(R"(\s([A-Za-z]\w*)@(-?\d+)(?:\.(\d{1,3}))?C(?:/[\d.]+C)?(?=\s))", [&](const Match& m) {
      std::string decimals = m[3];
      decimals.resize(3, '0');
      if (m[1] == "PMIC" && (m[2] == "100" || m[2] == "50")) return;
      std::string value = std::string(m[2]) + decimals;
      Say("temp " + std::string(m[1]) + "#0", m[2] == "-256" ? kOff : value);
    });
  }

  void Rails() {
    Each(R"(\s([A-Za-z]\w*)\s+(-?\d+)(?:mW)?/(-?\d+)(?:mW)?(?:/\d+mW)?(?=\s))",
         [&](const Match& m) {
           if (m[1] != "NC") Say("power " + std::string(m[1]) + "#0", m[2]);
         });
  }

  std::string line_;
  Said said_;
};

// What stands before the sample is not the sample.
std::string WithoutPrefix(const std::string& line) {
  static const std::regex kStart(R"((\d\d-\d\d-\d{4} \d\d:\d\d:\d\d )?RAM )");
  std::smatch match;
  if (!std::regex_search(line, match, kStart)) return "";
  return " " + line.substr(static_cast<std::size_t>(match.position()));
}

std::vector<fs::path> Captures() {
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(kCaptures)) {
    const std::string name = entry.path().filename().string();
    const bool is_invented = name.starts_with("SUSPECT") || name.starts_with("STREAM");
    if (!is_invented && !name.ends_with(".md")) files.insert(entry.path());
  }
  return {files.begin(), files.end()};
}

class TegrastatsCapturesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(kCaptures)) GTEST_SKIP() << "no captured lines in " << kCaptures;
  }
};

// Returns how many samples the file has.
int CompareFile(const fs::path& file) {
  std::ifstream input(file);
  TegrastatsLine line;
  int samples = 0;
  for (std::string text; std::getline(input, text);) {
    text += '\n';
    ParseTegrastats(text, line);
    if (text.starts_with("#") || WithoutPrefix(text).empty()) {
      EXPECT_FALSE(line.is_sample) << text;
      continue;
    }
    ++samples;
    EXPECT_EQ(SaidByParser(line), Expressions(WithoutPrefix(text)).Read()) << file << ": " << text;
    // Their authors shortened some lines by "...".
    const bool is_shortened = text.find("...") != std::string::npos;
    EXPECT_EQ(line.unknown_tokens + line.bad_fields > 0, is_shortened) << file << ": " << text;
    if (::testing::Test::HasFailure()) break;
  }
  return samples;
}

TEST_F(TegrastatsCapturesTest, ParserAndExpressionsSayTheSameOfEveryLine) {
  int samples = 0;
  for (const fs::path& file : Captures()) {
    samples += CompareFile(file);
  }
  EXPECT_GT(samples, 1800);
}

TEST_F(TegrastatsCapturesTest, RestartsOfTheLongLogAreFound) {
  std::ifstream input(kCaptures / "full_tx2_r28_600lines.log");
  TegrastatsRestarts restarts;
  TegrastatsLine line;
  int found = 0;
  bool were_cores_idle = true;
  for (std::string text; std::getline(input, text);) {
    text += '\n';
    ParseTegrastats(text, line);
    if (!restarts.IsRestart(line)) continue;
    ++found;
    for (const TegrastatsReading& reading : line.readings) {
      if (reading.kind == TegrastatsKind::kCoreLoad) were_cores_idle &= reading.value == 0;
    }
  }
  EXPECT_EQ(found, 2) << "the log holds three lives of the program";
  EXPECT_TRUE(were_cores_idle) << "the first line of a life says 0 % on R28";
}

TEST_F(TegrastatsCapturesTest, InventedLinesAreCountedNotBelieved) {
  std::ifstream input(kCaptures / "SUSPECT_not-captured.txt");
  TegrastatsLine line;
  int unknown = 0;
  for (std::string text; std::getline(input, text);) {
    text += '\n';
    ParseTegrastats(text, line);
    unknown += line.unknown_tokens;
  }
  EXPECT_GT(unknown, 20);
}

TEST_F(TegrastatsCapturesTest, MessagesBetweenSamplesAreNoSamples) {
  std::ifstream input(kCaptures / "STREAM_noise_from_binary.txt");
  TegrastatsLine line;
  for (std::string text; std::getline(input, text);) {
    text += '\n';
    ParseTegrastats(text, line);
    EXPECT_FALSE(line.is_sample) << text;
  }
}

}  // namespace
}  // namespace tacho
