// The detector on public series with change points that people marked.
#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "common/json.h"
#include "server/detect/history.h"
#include "server/detect/otava.h"
#include "tests/unit/detect/change_point_score.h"

namespace tacho::detect {
namespace {

const std::string kFolder = std::string(TACHO_SOURCE_DIR) + "/../shared/data/changepoints/";

// The univariate series without gaps of the Turing Change Point Dataset that may be redistributed.
const std::vector<std::string> kUnivariate{"bank",
                                           "brent_spot",
                                           "businv",
                                           "centralia",
                                           "children_per_woman",
                                           "co2_canada",
                                           "construction",
                                           "debt_ireland",
                                           "gdp_argentina",
                                           "gdp_croatia",
                                           "gdp_iran",
                                           "gdp_japan",
                                           "global_co2",
                                           "homeruns",
                                           "jfk_passengers",
                                           "lga_passengers",
                                           "nile",
                                           "ozone",
                                           "rail_lines",
                                           "seatbelts",
                                           "shanghai_license",
                                           "unemployment_nl",
                                           "us_population",
                                           "usd_isk",
                                           "well_log"};
const std::vector<std::string> kQualityControl{"quality_control_1", "quality_control_2",
                                               "quality_control_3", "quality_control_4",
                                               "quality_control_5"};

std::optional<Json> Load(const std::string& path) {
  std::ifstream file(kFolder + path);
  if (!file) return std::nullopt;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  Result<Json> json = Json::Parse(text);
  return json.ok() ? std::optional<Json>(*json) : std::nullopt;
}

std::vector<double> Values(const Json& array) {
  std::vector<double> values;
  for (const Json& item : array.items())
    values.push_back(item.AsDouble());
  return values;
}

std::vector<Places> Annotators(const Json& annotations, const std::string& name) {
  std::vector<Places> annotators;
  for (const auto& [id, places] : annotations[name].members()) {
    annotators.emplace_back();
    for (const Json& place : places.items()) {
      annotators.back().insert(static_cast<std::size_t>(place.AsInt()));
    }
  }
  return annotators;
}

struct Score {
  double f1 = 0;
  double cover = 0;
};

Score MeanScore(const Json& annotations, const std::vector<std::string>& names) {
  Score mean;
  const auto count = static_cast<double>(names.size());
  for (const std::string& name : names) {
    const std::optional<Json> series = Load("tcpd/" + name + ".json");
    if (!series) {
      ADD_FAILURE() << "no series " << name;
      continue;
    }
    const std::vector<double> values = Values((*series)["series"].items()[0]["raw"]);
    const std::vector<std::size_t> found = FirstIndices(DetectHistory(values));
    const Places places(found.begin(), found.end());
    const std::vector<Places> annotators = Annotators(annotations, name);
    mean.f1 += FMeasure(annotators, places) / count;
    mean.cover += Covering(annotators, places, values.size()) / count;
  }
  return mean;
}

TEST(Score, AgreesWithPublishedExamples) {
  const std::vector<Places> one{{10, 20}, {11, 20}, {10}, {0, 5}};
  EXPECT_NEAR(FMeasure(one, {10, 20}), 1, 1e-12);
  const std::vector<Places> two{{}, {10}, {50}};
  EXPECT_NEAR(FMeasure(two, {10}), 0.9090909090909091, 1e-12);
  const std::vector<Places> three{{10, 20}, {10}, {0, 5}};
  EXPECT_NEAR(Covering(three, {10, 20}, 45), 0.7962962962962963, 1e-12);
}

TEST(PublicData, AgreesWithItsAnnotators) {
  const std::optional<Json> annotations = Load("tcpd/annotations.json");
  if (!annotations) GTEST_SKIP() << "the public series are not here: " << kFolder;
  const Score univariate = MeanScore(*annotations, kUnivariate);
  EXPECT_GE(univariate.f1, 0.66);
  EXPECT_GE(univariate.cover, 0.64);
  const Score quality = MeanScore(*annotations, kQualityControl);
  EXPECT_GE(quality.f1, 0.94);
  RecordProperty("univariate_f1", std::to_string(univariate.f1));
  RecordProperty("univariate_cover", std::to_string(univariate.cover));
}

TEST(PublicData, ReportsTheStepsOfADatabaseBenchmarkAndNotItsOutlier) {
  const std::optional<Json> file = Load("otava/tigerbeetle.json");
  if (!file) GTEST_SKIP() << "the public series are not here: " << kFolder;
  const History history = DetectHistory(Values((*file)["series"]));
  const std::vector<std::size_t> found = FirstIndices(history);
  const Places places(found.begin(), found.end());
  EXPECT_FALSE(places.contains(10));
  EXPECT_TRUE(places.contains(15));
  EXPECT_TRUE(places.contains(71));
  EXPECT_TRUE(places.contains(95));
  EXPECT_TRUE(places.lower_bound(142) != places.end() && *places.lower_bound(142) <= 148);
  EXPECT_TRUE(std::any_of(history.blips.begin(), history.blips.end(),
                          [](const Blip& blip) { return blip.first == 10; }));
}

TEST(LikeOtava, RepeatsItsRecordedResults) {
  const std::optional<Json> file = Load("otava/tigerbeetle.json");
  if (!file) GTEST_SKIP() << "the public series are not here: " << kFolder;
  const std::vector<double> values = Values((*file)["series"]);
  ASSERT_EQ((*file)["expected"].items().size(), 10u);
  for (const Json& expected : (*file)["expected"].items()) {
    const OtavaOptions options{.window = static_cast<std::size_t>(expected["window_len"].AsInt()),
                               .max_p = expected["max_pvalue"].AsDouble(),
                               .min_magnitude = expected["min_magnitude"].AsDouble()};
    std::vector<std::size_t> indices;
    for (const Json& index : expected["indexes"].items()) {
      indices.push_back(static_cast<std::size_t>(index.AsInt()));
    }
    EXPECT_EQ(DetectLikeOtava(values, options), indices) << expected.Dump();
  }
}

TEST(LikeOtava, FindsAStepAndSkipsMissingValues) {
  std::vector<double> values;
  for (int i = 0; i < 60; ++i)
    values.push_back((i < 30 ? 100 : 120) + i % 3);
  EXPECT_EQ(DetectLikeOtava(values), std::vector<std::size_t>{30});
  values.insert(values.begin() + 10, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(DetectLikeOtava(values), std::vector<std::size_t>{31});
  EXPECT_TRUE(DetectLikeOtava({}).empty());
}

}  // namespace
}  // namespace tacho::detect
