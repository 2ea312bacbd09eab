// `tacho detect`: any series in a file, judged without a server.
#include <fstream>
#include <string>

#include "tests/support/temp_folder.h"
#include "tests/unit/cli/cli_fixture.h"

namespace tacho {
namespace {

class DetectCommand : public CliTest {
 protected:
  // 30 nights: a blip at 9, a step of 2.4 at 18; the second series has a missing night and no step.
  std::string Csv() {
    std::string text = "night,p99,fps\n";
    const char* const values[] = {
        "99.6",  "101.2", "100.4", "98.9",  "100.8", "99.3",  "100.1", "101.0", "99.0",  "112.0",
        "100.5", "99.8",  "100.9", "99.1",  "100.3", "100.2", "98.7",  "100.6", "102.4", "103.3",
        "101.7", "102.8", "103.6", "102.0", "102.5", "103.1", "101.4", "102.7", "102.2", "102.9"};
    int night = 1;
    for (const char* value : values) {
      text += "n" + std::to_string(night) + "," + value + "," +
              (night == 4 ? "" : std::to_string(60 + night * 7 % 5)) + "\n";
      ++night;
    }
    return Write("nightly.csv", text);
  }

  std::string Write(const std::string& name, const std::string& text) {
    const std::string path = folder_.path() / name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  TempFolder folder_;
};

TEST_F(DetectCommand, PrintsTheFirstIndexOfEachNewSegmentAsJson) {
  context_.style = {.format = Format::kJson};
  const Printed printed = Tacho("detect", {{"file", Csv()}});
  EXPECT_EQ(printed.exit_code, 0) << printed.err;
  const auto json = Json::Parse(printed.out);
  ASSERT_TRUE(json.ok()) << printed.out;
  EXPECT_EQ(json->Dump(), R"({"p99":[18],"fps":[]})");
}

TEST_F(DetectCommand, PrintsALineAFindingWithTheRowsName) {
  const Printed printed = Tacho("detect", {{"file", Csv()}});
  ExpectGolden("detect.txt", printed.All());
}

TEST_F(DetectCommand, PrintsEverythingWithFull) {
  context_.style = {.format = Format::kJson};
  const Printed printed = Tacho("detect", {{"file", Csv()}, {"full", "true"}});
  const auto json = Json::Parse(printed.out);
  ASSERT_TRUE(json.ok()) << printed.out;
  EXPECT_EQ((*json)["p99"]["changes"].items()[0]["verdict"].AsText(), "STEP");
  EXPECT_EQ((*json)["fps"]["missing"].AsInt(), 1);
  EXPECT_EQ((*json)["p99"]["q"].AsDouble(), 2 * (*json)["p99"]["p"].AsDouble());
}

TEST_F(DetectCommand, LeavesOutWhatIsBelowTheLeastRelativeChange) {
  context_.style = {.format = Format::kJson};
  const Printed printed = Tacho("detect", {{"file", Csv()}, {"least-relative", "5"}});
  const auto json = Json::Parse(printed.out);
  ASSERT_TRUE(json.ok()) << printed.out;
  EXPECT_TRUE((*json)["p99"].items().empty());
}

TEST_F(DetectCommand, ComparesWithOtava) {
  context_.style = {.format = Format::kJson};
  // The blip of night 10 widens what its t-test takes for noise: at 0.01 it sees no step.
  const Printed printed =
      Tacho("detect", {{"file", Csv()}, {"like-otava", "true"}, {"max-p", "0.05"}});
  EXPECT_EQ(printed.exit_code, 0) << printed.err;
  EXPECT_NE(printed.out.find("18"), std::string::npos) << printed.out;
}

TEST_F(DetectCommand, SaysOfEachSeriesThatItIsTooShort) {
  const std::string path = Write("short.csv", "night,p99,fps\nn1,1,60\nn2,2,61\nn3,9,\n");
  const Printed table = Tacho("detect", {{"file", path}});
  EXPECT_EQ(table.out.rfind("Nothing was judged: 2 of 2 series too short.\n", 0), 0U) << table.out;
  EXPECT_EQ(table.out.find("No level changed"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("fps     TOO_SHORT"), std::string::npos) << table.out;
  context_.style = {.format = Format::kTsv};
  const Printed tsv = Tacho("detect", {{"file", path}});
  EXPECT_EQ(tsv.out,
            "p99\tTOO_SHORT\t-\t-\t-\t-\t-\t-\t-\t-\t-\t3 values, at least 6 are needed\n"
            "fps\tTOO_SHORT\t-\t-\t-\t-\t-\t-\t-\t-\t-\t2 values, at least 6 are needed\n");
  EXPECT_EQ(tsv.err.rfind("Nothing was judged: 2 of 2 series too short.\n", 0), 0U) << tsv.err;
}

TEST_F(DetectCommand, SaysOfAFileWithoutRowsThatNothingWasJudged) {
  const Printed printed = Tacho("detect", {{"file", Write("header.csv", "night,p99\n")}});
  EXPECT_EQ(printed.out.rfind("Nothing was judged: 1 of 1 series too short.\n", 0), 0U)
      << printed.out;
}

TEST_F(DetectCommand, KeepsAShortSeriesApartFromOnesThatWereJudged) {
  const std::string path = Write(
      "mixed.json", R"({"long": [1,2,1,2,1,2,1,2], "short": [1,2,3,4,5], "six": [1,1,2,1,1,2]})");
  const std::string out = Tacho("detect", {{"file", path}}).out;
  EXPECT_EQ(out.rfind("0 changes and 0 drifts in 2 series; 1 too short to judge.\n", 0), 0U) << out;
}

TEST_F(DetectCommand, SaysBesideJsonThatASeriesIsTooShort) {
  const std::string path = Write("short.json", R"({"p99": [1, 2, 3]})");
  context_.style = {.format = Format::kJson};
  const Printed indices = Tacho("detect", {{"file", path}});
  EXPECT_EQ(indices.err,
            "Nothing was judged: 1 of 1 series too short.\n"
            "p99 is too short to judge: 3 values, at least 6 are needed.\n");
  const auto full = Json::Parse(Tacho("detect", {{"file", path}, {"full", "true"}}).out);
  ASSERT_TRUE(full.ok());
  EXPECT_EQ((*full)["p99"]["is_enough"], Json(false));
}

TEST_F(DetectCommand, SaysOfOtavaThatASeriesIsTooShort) {
  const std::string path = Write("short.json", R"({"p99": [1, 2, 3]})");
  for (const Format format : {Format::kTsv, Format::kJson}) {
    context_.style = {.format = format};
    const Printed printed = Tacho("detect", {{"file", path}, {"like-otava", "true"}});
    EXPECT_NE(printed.err.find("warning: p99 is too short to judge: 3 values"), std::string::npos)
        << printed.err;
    EXPECT_EQ(printed.err.find("finds no change point"), std::string::npos) << printed.err;
  }
}

TEST_F(DetectCommand, RefusesOptionsThatWouldHaveNoEffect) {
  const std::pair<const char*, const char*> alone[] = {
      {"window", "50"}, {"max-p", "0.01"}, {"min-magnitude", "1"}, {"full", "true"}};
  for (const auto& [option, value] : alone) {
    const Printed printed = Tacho("detect", {{"file", Csv()}, {option, value}});
    EXPECT_EQ(printed.exit_code, 2) << option;
    EXPECT_NE(printed.err.find(std::string("--") + option + " has no effect without"),
              std::string::npos)
        << printed.err;
  }
  for (const char* option : {"season", "least-relative"}) {
    const Printed printed =
        Tacho("detect", {{"file", Csv()}, {"like-otava", "true"}, {option, "7"}});
    EXPECT_EQ(printed.exit_code, 2) << option;
    EXPECT_NE(printed.err.find("has no effect with --like-otava"), std::string::npos);
  }
}

TEST_F(DetectCommand, SaysFileAndLineOfAMistake) {
  const std::string path = Write("bad.csv", "night,p99\n1,5\n2,fast\n");
  const Printed printed = Tacho("detect", {{"file", path}});
  EXPECT_EQ(printed.exit_code, 2);
  EXPECT_NE(printed.err.find(path + ": line 3: 'fast' in column 'p99' is no number"),
            std::string::npos)
      << printed.err;
}

TEST_F(DetectCommand, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(Tacho("detect", {{"file", (folder_.path() / "none.csv").string()}}).exit_code, 3);
  EXPECT_EQ(Tacho("detect", {{"file", Write("series.txt", "1")}}).exit_code, 2);
  EXPECT_EQ(Tacho("detect", {{"file", Csv()}, {"season", "1"}}).exit_code, 2);
  EXPECT_EQ(Tacho("detect", {{"file", Csv()}, {"like-otava", "true"}, {"max-p", "x"}}).exit_code,
            2);
}

}  // namespace
}  // namespace tacho
