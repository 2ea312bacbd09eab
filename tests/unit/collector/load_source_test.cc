// Load averages; and the page on adding a source, which shows this one.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

#include "collector/parse/proc_loadavg.h"
#include "collector/source.h"
#include "tests/support/recorded_sink.h"
#include "tests/unit/collector/boards.h"

namespace tacho {
extern const SourceKind kLoadSource;
namespace {

TEST(LoadSourceTest, AveragesAreReadInHundredths) {
  BoardFolder board;
  board.With("proc/loadavg", "0.42 1.07 12.90 2/318 4711\n");
  RecordedSink seen;
  auto source = kLoadSource.open(board.root(), seen);
  ASSERT_TRUE(source.ok());
  const std::map<std::string, std::int64_t> expected = {
      {"load_average/1m", 42}, {"load_average/5m", 107}, {"load_average/15m", 1290}};
  EXPECT_EQ(seen.Sample(**source).values, expected);
}

TEST(LoadSourceTest, TextThatIsNoNumberIsAbsentNotZero) {
  BoardFolder board;
  board.With("proc/loadavg", "0.42 high 12.90 2/318 4711\n");
  RecordedSink seen;
  auto source = kLoadSource.open(board.root(), seen);
  ASSERT_TRUE(source.ok());
  const RecordedSweep sweep = seen.Sample(**source);
  EXPECT_TRUE(sweep.values.empty());
  EXPECT_EQ(sweep.absent.at("load_average/1m"), Why::kUnparsable);
}

TEST(LoadSourceTest, SystemWithoutTheFileIsNotAnError) {
  RecordedSink seen;
  auto source = kLoadSource.open(SystemRoot{"/nonexistent"}, seen);
  ASSERT_NE(source.error(), nullptr);
  EXPECT_EQ(source.error()->code(), Code::kNotFound);
}

std::string ReadWhole(const std::filesystem::path& file) {
  std::ifstream input(file);
  return {std::istreambuf_iterator<char>(input), std::istreambuf_iterator<char>()};
}

TEST(AddingASourceTest, PageShowsTheFilesAsTheyAre) {
  const std::filesystem::path house = TACHO_SOURCE_DIR;
  const std::string page = ReadWhole(house / "docs/adding-a-source.md");
  for (const char* file : {"collector/sources/load_source.cc", "collector/parse/proc_loadavg.h",
                           "collector/parse/proc_loadavg.cc"}) {
    const std::string block = "```cpp\n" + ReadWhole(house / file) + "```\n";
    EXPECT_NE(page.find(block), std::string::npos) << "the page shows another " << file;
  }
}

}  // namespace
}  // namespace tacho
