// Small files, read whole or refused with the reason.
#include "common/text_file.h"

#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/temp_folder.h"

namespace tacho {
namespace {

TEST(TextFileTest, ReadsWhatIsThere) {
  TempFolder folder;
  const auto file = folder.path() / "a.toml";
  std::ofstream(file) << std::string(40000, 'x');
  EXPECT_EQ(*ReadTextFile(file), std::string(40000, 'x'));
  EXPECT_TRUE(ReadTextFile(file, 40000).ok());
  EXPECT_FALSE(ReadTextFile("/proc/sys/kernel/random/boot_id")->empty());
}

TEST(TextFileTest, SaysWhyItCannot) {
  TempFolder folder;
  const std::string name = folder.path().string();
  const Status is_folder = *ReadTextFile(folder.path()).error();
  EXPECT_EQ(is_folder.code(), Code::kUnavailable);
  EXPECT_EQ(is_folder.message(), "cannot read " + name + ": Is a directory");
  const Status is_absent = *ReadTextFile(folder.path() / "b").error();
  EXPECT_EQ(is_absent.code(), Code::kNotFound);
  EXPECT_EQ(is_absent.message(), "cannot read " + name + "/b: No such file or directory");
}

TEST(TextFileTest, WaitsForAPipeNoLongerThanASecond) {
  TempFolder folder;
  const std::string pipe = (folder.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(ReadTextFile(pipe).error()->message(),
            "cannot read " + pipe + ": nothing came for a second");
  const int keeper = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);  // what is written stays in it
  std::ofstream(pipe) << "a = 1\n";
  const auto text = ReadTextFile(pipe);
  ::close(keeper);
  EXPECT_EQ(text.ok() ? *text : text.error()->message(), "a = 1\n");
}

TEST(TextFileTest, RefusesAPipeThatDoesNotEnd) {
  TempFolder folder;
  const std::string pipe = (folder.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int keeper = ::open(pipe.c_str(), O_RDWR | O_NONBLOCK);  // a writer that says nothing
  EXPECT_FALSE(ReadTextFile(pipe).ok());
  ASSERT_EQ(::write(keeper, "b = 2", 5), 5);
  EXPECT_FALSE(ReadTextFile(pipe).ok());  // and does not end
  ::close(keeper);
}

TEST(TextFileTest, NeverReadsWithoutEnd) {
  const Status status = *ReadTextFile("/dev/zero").error();
  EXPECT_EQ(status.code(), Code::kExhausted);
  EXPECT_EQ(status.message(), "cannot read /dev/zero: it is larger than 1048576 bytes");
}

}  // namespace
}  // namespace tacho
