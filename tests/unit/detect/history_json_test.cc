// The JSON of a history.
#include "server/detect/history_json.h"

#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace tacho::detect {
namespace {

TEST(HistoryJson, ListsTheFirstIndexOfEachNewSegment) {
  std::vector<double> values(40, 5);
  for (std::size_t i = 25; i < values.size(); ++i)
    values[i] = 6;
  EXPECT_EQ(IndicesJson(DetectHistory(values)).Dump(), "[25]");
  EXPECT_EQ(IndicesJson(History{}).Dump(), "[]");
}

TEST(HistoryJson, HasEveryFieldAndNullForWhatDoesNotExist) {
  std::vector<double> values(40, 0);
  for (std::size_t i = 25; i < values.size(); ++i)
    values[i] = 6;
  const Json json = FullJson(DetectHistory(values), 0.01);
  EXPECT_EQ(json["nights"].AsInt(), 40);
  EXPECT_EQ(json["q"].AsDouble(), 0.01);
  const Json& change = json["changes"].items()[0];
  EXPECT_EQ(change["verdict"].AsText(), "STEP");
  EXPECT_EQ(change["first"].AsInt(), 25);
  EXPECT_EQ(change["after"].AsDouble(), 6);
  const std::string text = change.Dump();
  EXPECT_NE(text.find("\"relative\":null"), std::string::npos) << text;  // from 0
  EXPECT_NE(text.find("\"effect\":null"), std::string::npos) << text;    // no noise
  EXPECT_TRUE(change["went_away_at"].is_null());
}

TEST(HistoryJson, OfTooFewNightsClaimsNothing) {
  const Json json = FullJson(DetectHistory(std::vector<double>{1, 2}), 1);
  EXPECT_TRUE(json["level"].is_null());
  EXPECT_TRUE(json["p"].is_null());
  EXPECT_FALSE(json["is_enough"].AsBool(true));
}

}  // namespace
}  // namespace tacho::detect
