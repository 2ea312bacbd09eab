// Series from files: what is understood, and where a mistake is.
#include "server/detect/series_file.h"

#include <cmath>
#include <gtest/gtest.h>
#include <string>

namespace tacho::detect {
namespace {

std::string WhyNot(const Result<SeriesFile>& file) {
  return file.error() == nullptr ? "" : file.error()->message();
}

TEST(SeriesCsv, HasOneSeriesAColumnAndNamesItsRows) {
  const auto file = ParseSeriesCsv("night,p50,p99\n2026-11-01,1.5,2\n2026-11-02,,-3e2\n");
  ASSERT_TRUE(file.ok()) << WhyNot(file);
  ASSERT_EQ(file->series.size(), 2u);
  EXPECT_EQ(file->series[0].name, "p50");
  EXPECT_EQ(file->series[0].values[0], 1.5);
  EXPECT_TRUE(std::isnan(file->series[0].values[1]));
  EXPECT_EQ(file->series[1].values[1], -300);
  EXPECT_EQ(file->rows, (std::vector<std::string>{"2026-11-01", "2026-11-02"}));
}

TEST(SeriesCsv, UnderstandsQuotesSpacesBlankLinesAndTheirEndings) {
  const auto file = ParseSeriesCsv("\xEF\xBB\xBFnight,\"a \"\"b\"\", c\"\r\n\r\n1, 7 \r\n2,NaN");
  ASSERT_TRUE(file.ok()) << WhyNot(file);
  EXPECT_EQ(file->series[0].name, "a \"b\", c");
  EXPECT_EQ(file->series[0].values[0], 7);
  EXPECT_TRUE(std::isnan(file->series[0].values[1]));
}

TEST(SeriesCsv, SaysInWhichLineItIsWrong) {
  EXPECT_EQ(WhyNot(ParseSeriesCsv("t,a\n1,2\n2,fast\n")),
            "line 3: 'fast' in column 'a' is no number. Leave a missing value empty.");
  EXPECT_EQ(WhyNot(ParseSeriesCsv("t,a\n\n1\n")), "line 3: it has 1 cells, and the header has 2.");
  EXPECT_EQ(WhyNot(ParseSeriesCsv("t,\"a\n")), "line 1: a quote is opened and not closed.");
  EXPECT_NE(WhyNot(ParseSeriesCsv("t\n1\n")).find("line 1: the header has one column"),
            std::string::npos);
  EXPECT_EQ(WhyNot(ParseSeriesCsv("t,a,\n")), "line 1: column 3 has no name.");
  EXPECT_NE(WhyNot(ParseSeriesCsv("t,a,a\n")).find("'a' is there twice"), std::string::npos);
  EXPECT_EQ(WhyNot(ParseSeriesCsv("")), "the file holds no series.");
}

TEST(SeriesJson, HasOneArrayASeriesAndNullForMissing) {
  const auto file = ParseSeriesJson(R"({"a": [1, null, 2.5], "b": []})");
  ASSERT_TRUE(file.ok()) << WhyNot(file);
  ASSERT_EQ(file->series.size(), 2u);
  EXPECT_EQ(file->series[0].values[0], 1);
  EXPECT_TRUE(std::isnan(file->series[0].values[1]));
  EXPECT_TRUE(file->series[1].values.empty());
  EXPECT_TRUE(file->rows.empty());
}

TEST(SeriesJson, SaysWhereItIsWrong) {
  const std::string syntax = WhyNot(ParseSeriesJson("{\n \"a\": [1,\n NaN]}"));
  EXPECT_EQ(syntax.rfind("line 3: ", 0), 0u) << syntax;
  EXPECT_NE(syntax.find("null"), std::string::npos);
  EXPECT_EQ(WhyNot(ParseSeriesJson(R"({"a": [1, "x"]})")),
            "the value 1 of 'a' (counted from 0) is neither a number nor null.");
  EXPECT_NE(WhyNot(ParseSeriesJson(R"({"a": 3})")).find("'a' is not an array"), std::string::npos);
  EXPECT_NE(WhyNot(ParseSeriesJson("[1]")).find("it is no object"), std::string::npos);
}

}  // namespace
}  // namespace tacho::detect
