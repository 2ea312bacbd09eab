// The worked example of docs/detecting.md: computed again, so that the page cannot rot.
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "server/detect/autocorrelation.h"
#include "server/detect/history.h"
#include "server/detect/outliers.h"
#include "server/detect/pieces.h"
#include "server/detect/robust.h"

namespace tacho::detect {
namespace {

// The lines between "```NAME" and "```" in the page.
std::string Block(const std::string& name) {
  std::ifstream page(std::string(TACHO_SOURCE_DIR) + "/docs/detecting.md");
  std::string line;
  std::string block;
  while (std::getline(page, line) && line != "```" + name) {
  }
  while (std::getline(page, line) && line != "```")
    block += line + "\n";
  return block;
}

// Each line is a key, and numbers to four digits.
class Lines {
 public:
  void Add(const std::string& key, const std::vector<double>& numbers) {
    text_ += key;
    for (const double number : numbers) {
      char digits[32];
      (void)std::snprintf(digits, sizeof digits, " %.4g", number);
      text_ += digits;
    }
    text_ += "\n";
  }
  void AddWord(const std::string& key, std::string_view word) {
    text_ += key + " " + std::string(word) + "\n";
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

double Count(std::size_t count) {
  return static_cast<double>(count);
}

void AddSteps(Lines& lines, std::vector<double> values) {
  const double centre = Median(values);
  for (double& value : values)
    value -= centre;
  const Cleaned cleaned = CleanOutliers(values);
  const double rho = Autocorrelation(cleaned.values);
  const PieceCosts costs(cleaned.values, rho);
  const Pieces found = FindPieces(costs, cleaned.values, rho, {});
  lines.Add("centre", {centre});
  lines.Add("outlier limit", {cleaned.limit});
  lines.Add("rho", {rho});
  lines.Add("error of one level", {costs.Flat(0, values.size())});
  lines.Add("error of two levels", {costs.Flat(0, 18) + costs.Flat(18, values.size())});
  lines.Add("noise variance", {found.noise.innovation});
  lines.Add("price of a change", {Price(3, values.size(), found.noise.innovation)});
  lines.Add("noise sigma", {found.noise.sigma});
}

void AddFindings(Lines& lines, const History& history) {
  ASSERT_EQ(history.changes.size(), 1u);
  ASSERT_EQ(history.blips.size(), 1u);
  const Change& change = history.changes[0];
  lines.AddWord("change", NameOf(change.verdict));
  lines.Add("first, earliest, latest",
            {Count(change.first), Count(change.earliest), Count(change.latest)});
  lines.Add("before, after", {change.before, change.after});
  lines.Add("relative", {change.relative});
  lines.Add("effect", {change.effect});
  lines.Add("chance", {change.p});
  const Blip& blip = history.blips[0];
  lines.Add("blip first, value, expected", {Count(blip.first), blip.value, blip.expected});
}

TEST(DetectingPage, ShowsWhatTheDetectorComputes) {
  std::istringstream numbers(Block("values"));
  std::vector<double> values;
  for (double value = 0; numbers >> value;)
    values.push_back(value);
  ASSERT_EQ(values.size(), 30u) << "docs/detecting.md has no block of 30 values";
  Lines lines;
  AddSteps(lines, values);
  AddFindings(lines, DetectHistory(values));
  EXPECT_EQ(Block("result"), lines.text());
}

}  // namespace
}  // namespace tacho::detect
