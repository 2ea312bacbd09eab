// The flight ring: what it holds, what it says of itself, and what is left after a death.
#include "daemon/recorder/flight_ring.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <random>

#include "tests/support/page_example.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/recorder/rows.h"

namespace tacho {
namespace {

using namespace std::chrono_literals;

constexpr DictionaryHash kHash{0x1122334455667788};

BootId Boot(std::uint8_t number) {
  BootId boot;
  boot.bytes.fill(number);
  return boot;
}

Bytes BytesOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::unique_ptr<FlightRing> Open(const std::filesystem::path& file, std::uint8_t boot = 1,
                                 std::int64_t bytes = 64 << 10) {
  Status why;
  auto ring = FlightRing::Open({.file = file, .bytes = bytes}, Boot(boot), why);
  EXPECT_TRUE(why.ok()) << why.message();
  return ring;
}

Row Sweep(int i) {
  return RowAt(10.0 + i, {Value(0, i), Absent(1, Why::kBroken), Value(5, -i)}, 2);
}

TEST(FlightFrameTest, ExampleOfThePageIsWhatIsWritten) {
  const Row row = RowAt(12.5, {Value(0, 48250), Absent(3, Why::kGated)});
  Bytes bytes;
  EncodeFlightFrame(7, kHash, row, bytes);
  EXPECT_EQ(bytes, PageExample("formats/flight.md", "frame"));
  const auto frame = DecodeFlightFrame(bytes);
  ASSERT_TRUE(frame.has_value());
  EXPECT_EQ(frame->row, row);
  EXPECT_EQ(frame->sequence, 7u);
  EXPECT_EQ(frame->dictionary, kHash);
}

TEST(FlightRingTest, RowsComeBackInOrderWithTheirSecondsHeld) {
  const TempFolder folder;
  const auto ring = Open(folder.path() / "ring");
  for (int i = 0; i < 31; ++i)
    ring->Write(Sweep(i), kHash);
  EXPECT_EQ(ring->held(), 30s);
  const auto frames = ReadFlight(ring->memory());
  ASSERT_TRUE(frames.ok());
  ASSERT_EQ(frames->size(), 31u);
  for (int i = 0; i < 31; ++i) {
    EXPECT_EQ((*frames)[static_cast<std::size_t>(i)].row, Sweep(i));
  }
}

TEST(FlightRingTest, OldestMakeRoomAndTheFileNeverGrows) {
  const TempFolder folder;
  const auto file = folder.path() / "ring";
  const auto ring = Open(file);
  for (int i = 0; i < 20000; ++i)
    ring->Write(Sweep(i), kHash);
  EXPECT_EQ(std::filesystem::file_size(file), 64u << 10);
  const auto frames = ReadFlight(ring->memory());
  ASSERT_TRUE(frames.ok());
  ASSERT_GT(frames->size(), 1000u);
  EXPECT_EQ(frames->back().row, Sweep(19999));
  EXPECT_EQ(ring->held(), frames->back().row.at - frames->front().row.at);
}

TEST(FlightRingTest, RowsOutliveTheRecorderAndTheNextOneGoesOn) {
  const TempFolder folder;
  const auto file = folder.path() / "ring";
  {
    const auto ring = Open(file);
    for (int i = 0; i < 5000; ++i)
      ring->Write(Sweep(i), kHash);
    ring->Beat(At(77));
  }
  const auto frames_before = ReadFlight(BytesOf(file));
  ASSERT_TRUE(frames_before.ok());
  const auto ring = Open(file);
  EXPECT_EQ(ring->last_alive_before(), At(77));
  ring->Write(Sweep(5000), kHash);
  const auto frames = ReadFlight(ring->memory());
  ASSERT_TRUE(frames.ok());
  EXPECT_EQ(frames->back().row, Sweep(5000));
  EXPECT_EQ(frames->back().sequence, frames_before->back().sequence + 1);
  EXPECT_GE(frames->size(), frames_before->size() - 1);
}

TEST(FlightRingTest, AnotherBootBeginsAnew) {
  const TempFolder folder;
  const auto file = folder.path() / "ring";
  {
    const auto ring = Open(file, 1);
    ring->Write(Sweep(1), kHash);
    ring->Beat(At(77));
  }
  const auto ring = Open(file, 2);
  EXPECT_EQ(ring->last_alive_before(), BootTime{});
  EXPECT_TRUE(ReadFlight(ring->memory())->empty());
}

TEST(FlightRingTest, FrameThatWasTornInTheWritingEndsTheReading) {
  const TempFolder folder;
  const auto ring = Open(folder.path() / "ring");
  for (int i = 0; i < 3; ++i)
    ring->Write(Sweep(i), kHash);
  Bytes bytes(ring->memory().begin(), ring->memory().end());
  const std::size_t frame = 48;
  bytes[FlightHeader::kBytes + 2 * frame + 20] ^= std::byte{1};
  EXPECT_EQ(ReadFlight(bytes)->size(), 2u);
}

TEST(FlightRingTest, WhereNoFileCanBeHadTheRingLivesInMemory) {
  Status why;
  const auto ring = FlightRing::Open({.file = "/proc/none/ring", .bytes = 64 << 10}, Boot(1), why);
  EXPECT_FALSE(why.ok());
  ring->Write(Sweep(1), kHash);
  EXPECT_EQ(ReadFlight(ring->memory())->size(), 1u);
}

TEST(FlightRingTest, FileOfARecorderAtWorkIsLeftAlone) {
  const TempFolder folder;
  const auto file = folder.path() / "ring";
  auto first = Open(file);
  first->Write(Sweep(1), kHash);
  const Bytes before = BytesOf(file);
  Status why;
  // Another boot and size would begin it anew.
  const auto second = FlightRing::Open({.file = file, .bytes = 128 << 10}, Boot(2), why);
  EXPECT_NE(why.message().find("another recorder writes it"), std::string::npos) << why.message();
  second->Write(Sweep(2), kHash);
  second->Beat(At(99));
  EXPECT_EQ(BytesOf(file), before);
  first.reset();
  EXPECT_NE(Open(file), nullptr);
}

TEST(FlightRingTest, RowThatCanNeverFitIsCountedAndDropped) {
  const TempFolder folder;
  const auto ring = Open(folder.path() / "ring");
  Row row = RowAt(1, {});
  for (std::uint32_t channel = 0; channel < 20000; ++channel)
    row.cells.push_back(Value(channel, 9));
  ring->Write(row, kHash);
  EXPECT_EQ(ring->dropped(), 1u);
  EXPECT_TRUE(ReadFlight(ring->memory())->empty());
}

TEST(FlightRingTest, ReadingDamagedFilesNeverFails) {
  const TempFolder folder;
  const auto ring = Open(folder.path() / "ring");
  for (int i = 0; i < 3000; ++i)
    ring->Write(Sweep(i), kHash);
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    Bytes bytes(ring->memory().begin(), ring->memory().end());
    for (int flips = 0; flips < 4; ++flips) {
      const std::size_t most = round % 2 == 0 ? 256 : bytes.size();
      bytes[random() % most] = static_cast<std::byte>(random());
    }
    const auto frames = ReadFlight(bytes);
    if (!frames.ok()) continue;
    for (std::size_t i = 1; i < frames->size(); ++i) {
      EXPECT_EQ((*frames)[i].sequence, (*frames)[i - 1].sequence + 1);
    }
  }
}

}  // namespace
}  // namespace tacho
