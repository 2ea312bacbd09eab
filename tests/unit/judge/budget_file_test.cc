// budgets.toml: what is accepted, and how every mistake is told.
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

#include "server/judge/budget.h"

namespace tacho {
namespace {

std::string MistakesIn(std::string_view text) {
  const auto budgets = ParseBudgets(text, "budgets.toml");
  return budgets.ok() ? "" : budgets.error()->message();
}

TEST(BudgetFile, ReadsEveryKey) {
  const auto budgets = ParseBudgets(R"([[budget]]
name = "hot"
metric = "thermal_zone_temperature"
instance = "tj"
statistic = "max"
max = "65 C"
min_count = 30
min_coverage = 0.5
for = "10s"
robot = "rb*"
model = "*Orin*"
power_mode = "30W"
holds_when_throttled = true
)",
                                    "budgets.toml");
  ASSERT_TRUE(budgets.ok()) << budgets.error()->message();
  const Budget& budget = budgets->at(0);
  EXPECT_EQ(budget.name, "hot");
  EXPECT_EQ(budget.statistic, Statistic::kMax);
  EXPECT_TRUE(budget.is_upper);
  EXPECT_EQ(budget.limit.value, 65);
  EXPECT_EQ(budget.limit.unit, Unit::kCelsius);
  EXPECT_EQ(budget.min_count, 30);
  EXPECT_EQ(budget.held_for, std::chrono::seconds(10));
  EXPECT_TRUE(budget.holds_when_throttled);
}

TEST(BudgetFile, ListsAllMistakesAtOnceWithLineAndNearestWord) {
  const std::string mistakes = MistakesIn(R"([[budget]]
name = "a"
metrik = "x"
metric = "y"
statistic = "p59"
max = "5 C"

[[budget]]
name = "a"
metric = "y"
statistic = "max"
max = "hot"
)");
  EXPECT_NE(mistakes.find("budgets.toml:3:"), std::string::npos) << mistakes;
  EXPECT_NE(mistakes.find("did you mean metric?"), std::string::npos) << mistakes;
  EXPECT_NE(mistakes.find("budgets.toml:5:"), std::string::npos) << mistakes;
  EXPECT_NE(mistakes.find("did you mean \"p50\""), std::string::npos) << mistakes;
  EXPECT_NE(mistakes.find("budgets.toml:12:"), std::string::npos) << mistakes;
  EXPECT_NE(mistakes.find("a budget \"a\" is there already"), std::string::npos) << mistakes;
}

struct Mistake {
  const char* lines;
  const char* told;
};

class BudgetMistake : public testing::TestWithParam<Mistake> {};

TEST_P(BudgetMistake, IsTold) {
  const std::string text =
      std::string("[[budget]]\nname = \"b\"\nmetric = \"m\"\n") + GetParam().lines;
  EXPECT_NE(MistakesIn(text).find(GetParam().told), std::string::npos) << MistakesIn(text);
}

INSTANTIATE_TEST_SUITE_P(
    All, BudgetMistake,
    testing::Values(Mistake{"statistic = \"max\"\n", "either max or min"},
                    Mistake{"statistic = \"max\"\nmax = \"1\"\nmin = \"1\"\n", "either max or min"},
                    Mistake{"max = \"1\"\n", "statistic is missing"},
                    Mistake{"statistic = \"mean\"\nmax = \"1\"\nfor = \"5s\"\n", "goes with"},
                    Mistake{"statistic = \"rate\"\nmax = \"1\"\n", "per second"},
                    Mistake{"statistic = \"max\"\nmax = \"1 W/s\"\n", "only the statistic rate"},
                    Mistake{"statistic = \"max\"\nmax = \"1\"\nmin_coverage = 1.5\n", "0 to 1"},
                    Mistake{"statistic = \"max\"\nmax = \"1\"\nrobot = \"\"\n",
                            "budgets.toml:6: budget \"b\": robot must not be empty"},
                    Mistake{"statistic = \"max\"\nmax = \"1 furlong\"\n", "is no limit"}));

TEST(BudgetFile, AcceptsTheExampleOfItsPage) {
  std::ifstream page(std::string(TACHO_SOURCE_DIR) + "/docs/budgets.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  const auto start = text.find("```toml\n");
  ASSERT_NE(start, std::string::npos);
  const std::string example = text.substr(start + 8, text.find("```", start + 8) - start - 8);
  const auto budgets = ParseBudgets(example, "budgets.md");
  ASSERT_TRUE(budgets.ok()) << budgets.error()->message();
  EXPECT_GE(budgets->size(), 5u);
}

TEST(Limit, KnowsUnitsAndPrefixes) {
  EXPECT_EQ(ParseLimit("250 ms")->value, 0.25);
  EXPECT_EQ(ParseLimit("250ms")->unit, Unit::kSeconds);
  EXPECT_EQ(ParseLimit("30 W")->value, 30);
  EXPECT_EQ(ParseLimit("1.5 GHz")->value, 1.5e9);
  EXPECT_EQ(ParseLimit("95 %")->value, 0.95);
  EXPECT_EQ(ParseLimit("64 MiB")->value, 64 * 1048576.0);
  EXPECT_EQ(ParseLimit("2 Wh")->value, 7200);
  EXPECT_EQ(ParseLimit("-5 C")->value, -5);
  EXPECT_TRUE(ParseLimit("2 MB/s")->is_per_second);
  EXPECT_FALSE(ParseLimit("").has_value());
  EXPECT_FALSE(ParseLimit("C").has_value());
  EXPECT_FALSE(ParseLimit("inf W").has_value());
}

}  // namespace
}  // namespace tacho
