// `tacho series`: what it says of series that have no value, are thinned, or found no room.
#include <string>

#include "tests/unit/cli/cli_fixture.h"

namespace tacho {
namespace {

Json Points(std::size_t count) {
  Json::Array points;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::int64_t>(i) * 1'000'000'000;
    points.push_back(Json::Array{kNow + at, at, 0.75 + 0.05 * static_cast<double>(i)});
  }
  return points;
}

Json Load(const std::string& instance, const Json& points) {
  return Json::Object{{"metric", "gpu_load"}, {"instance", instance}, {"unit", "ratio"},
                      {"stat", "value"},      {"points", points},     {"coverage", 1}};
}

class SeriesCommand : public CliTest {
 protected:
  Printed Series(Json::Array series, Format format, Given given = {}) {
    fleet_.Answer("series", Json(Json::Object{{"series", std::move(series)}}));
    context_.style = {.format = format, .width = 100};
    given.emplace_back("of", "rb1/1/1");
    return Tacho("series", given);
  }
};

TEST_F(SeriesCommand, SaysOnStderrWhySeriesHaveNoRows) {
  Json gated = Load("gpu0", Json::Array{});
  gated.Set("absent", Json::Object{{"gated", 40}});
  gated.Set("coverage", 0);
  const Printed printed = Series({gated}, Format::kTsv);
  EXPECT_EQ(printed.out, "");
  EXPECT_EQ(printed.err,
            "gpu_load gpu0: no value; without a value: gated 40.\n"
            "coverage: 1 series; the least covered has 0 % (gpu_load gpu0)\n");
  EXPECT_EQ(Series({gated}, Format::kJson).err,
            "gpu_load gpu0: no value; without a value: gated 40.\n");
}

TEST_F(SeriesCommand, NamesAFewOfManySeriesWithoutAValue) {
  const std::string err = Series(Json::Array(100, Load("gpu0", Json::Array{})), Format::kTsv).err;
  EXPECT_NE(err.find("88 more series have no value."), std::string::npos) << err;
}

TEST_F(SeriesCommand, WarnsOfSeriesThatAreNotDrawnOnlyWhereItDraws) {
  const Json::Array many(94, Load("gpu0", Points(3)));
  EXPECT_NE(Series(many, Format::kTable).out.find("82 more series are not drawn"),
            std::string::npos);
  for (const Format format : {Format::kTsv, Format::kCsv, Format::kJson, Format::kJsonLines}) {
    EXPECT_EQ(Series(many, format).err.find("not drawn"), std::string::npos);
  }
}

TEST_F(SeriesCommand, SaysHowManyPointsAThinnedSeriesHad) {
  Json thinned = Load("gpu0", Points(3));
  thinned.Set("count", 40);
  thinned.Set("last", 0.86);
  const std::string out = Series({thinned}, Format::kTable, {{"points", "3"}}).out;
  EXPECT_NE(out.find("3 of 40 points drawn, last 86 %; coverage 100 %"), std::string::npos) << out;
  const std::string err = Series({thinned}, Format::kTsv, {{"points", "3"}}).err;
  EXPECT_NE(err.find("warning: 1 of 1 series are thinned to 3 points; --points 0"),
            std::string::npos)
      << err;
}

TEST_F(SeriesCommand, CallsNoPointLastThatTheServerDoesNotVouchFor) {
  const Json::Array series = {Load("gpu0", Points(3))};
  EXPECT_NE(Series(series, Format::kTable, {{"points", "3"}})
                .out.find("3 points drawn, perhaps of more, last drawn 85 %"),
            std::string::npos);
  EXPECT_NE(Series(series, Format::kTable, {{"points", "4"}}).out.find("3 points, last 85 %"),
            std::string::npos);
  EXPECT_NE(Series(series, Format::kTsv, {{"points", "3"}}).err.find("may be thinned to 3 points"),
            std::string::npos);
  EXPECT_EQ(Series(series, Format::kTsv).err.find("thinned"), std::string::npos);
}

}  // namespace
}  // namespace tacho
