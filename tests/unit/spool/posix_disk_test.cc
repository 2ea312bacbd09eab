// Real files on a real disk.
#include "daemon/spool/posix_disk.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "daemon/spool/spool_writer.h"
#include "tests/support/spool_world.h"
#include "tests/support/temp_folder.h"

namespace tacho {
namespace {

class PosixDiskTest : public ::testing::Test {
 protected:
  std::filesystem::path Path(const char* name) const { return folder_.path() / name; }

  TempFolder folder_;
  PosixDisk disk_;
};

TEST_F(PosixDiskTest, ReadsWhatItWrote) {
  auto file = disk_.Open(Path("a"), Disk::Access::kCreate);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->Write(10, Payload(5, std::byte{7})).ok());
  ASSERT_TRUE((*file)->Sync().ok());
  Payload bytes(20);
  const auto count = (*file)->Read(8, bytes);
  ASSERT_TRUE(count.ok());
  EXPECT_EQ(*count, 7u);
  EXPECT_EQ(bytes[1], std::byte{0});
  EXPECT_EQ(bytes[2], std::byte{7});
}

TEST_F(PosixDiskTest, FillsAFileWithZeros) {
  auto file = disk_.Open(Path("a"), Disk::Access::kCreate);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->Write(100, Payload(200'000, std::byte{7})).ok());
  ASSERT_TRUE((*file)->FillZero(100'000).ok());
  ASSERT_EQ(*(*file)->Size(), 100'000);
  Payload bytes(100'000);
  ASSERT_TRUE((*file)->Read(0, bytes).ok());
  EXPECT_EQ(bytes, Payload(100'000));
}

TEST_F(PosixDiskTest, SaysWhatItTriedAndWhyItFailed) {
  const auto file = disk_.Open(Path("missing"), Disk::Access::kWrite);
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error()->code(), Code::kNotFound);
  EXPECT_EQ(file.error()->message(),
            "cannot open " + Path("missing").string() + ": No such file or directory");
  EXPECT_FALSE(disk_.List(Path("missing")).ok());
  EXPECT_FALSE(disk_.Remove(Path("missing")).ok());
  EXPECT_FALSE(disk_.SyncFolder(Path("missing")).ok());
}

TEST_F(PosixDiskTest, ListsFilesAndNotFolders) {
  ASSERT_TRUE(disk_.MakeFolder(Path("folder/within")).ok());
  ASSERT_TRUE(disk_.MakeFolder(Path("folder/within")).ok());
  ASSERT_TRUE(disk_.Open(Path("b"), Disk::Access::kCreate).ok());
  ASSERT_TRUE(disk_.Open(Path("a"), Disk::Access::kCreate).ok());
  const auto names = disk_.List(folder_.path());
  ASSERT_TRUE(names.ok());
  EXPECT_EQ(*names, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(disk_.SyncFolder(folder_.path()).ok());
}

TEST_F(PosixDiskTest, LetsOnlyOneHoldAFileExclusively) {
  auto first = disk_.Open(Path("a"), Disk::Access::kExclusive);
  ASSERT_TRUE(first.ok());
  const auto second = disk_.Open(Path("a"), Disk::Access::kExclusive);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error()->code(), Code::kExists);
  EXPECT_TRUE(disk_.Open(Path("a"), Disk::Access::kRead).ok());
  first = Status(Code::kCancelled, "closed");
  EXPECT_TRUE(disk_.Open(Path("a"), Disk::Access::kExclusive).ok());
}

TEST_F(PosixDiskTest, HoldsASpoolThatASecondRecorderLeavesAlone) {
  SpoolConfig config;
  config.folder = Path("var/spool");
  config.max_bytes = 1 << 20;
  SpoolWorld world(config, disk_);
  world.Start();
  world.Append(Tier::kEvents);
  const auto second = SpoolWriter::Open(
      config, disk_, TestBoot(1), [] { return 5; }, Seconds(0));
  EXPECT_TRUE(second->is_ram_only());
  EXPECT_NE(second->last_failure().find("another process is at work"), std::string::npos);
  world.Append(Tier::kEvents);
  EXPECT_TRUE(world.Sync().ok());
  world.ExpectSound(world.Read());
}

TEST_F(PosixDiskTest, KeepsASpoolInMemoryWhereTheFolderCannotBeMade) {
  ASSERT_TRUE(disk_.Open(Path("file"), Disk::Access::kCreate).ok());
  SpoolConfig config;
  config.folder = Path("file/spool");
  SpoolWorld world(config, disk_);
  EXPECT_TRUE(world.Start().is_ram_only());
  EXPECT_EQ(world.Append(Tier::kEvents), Seq{1});
}

}  // namespace
}  // namespace tacho
