// Readings become rows again, also when some were dropped on the way.
#include "daemon/recorder/row_assembler.h"

#include <gtest/gtest.h>
#include <vector>

#include "daemon/recorder/ring_sink.h"
#include "tests/unit/recorder/rows.h"

namespace tacho {
namespace {

std::vector<Row> Drain(ReadingRing& ring, RowAssembler& assembler) {
  std::vector<Row> rows;
  Reading reading;
  while (ring.TryPop(reading)) {
    assembler.Add(reading, [&](const Row& row) { rows.push_back(row); });
  }
  return rows;
}

TEST(RowAssemblerTest, SweepOfASinkComesOutAsOneRow) {
  ReadingRing ring(16);
  RingSink sink(ring, GroupId{3});
  sink.Begin(At(5));
  sink.Put(ChannelId{0}, 42);
  sink.Absent(ChannelId{1}, Why::kGated);
  sink.End();
  RowAssembler assembler;
  EXPECT_EQ(Drain(ring, assembler),
            std::vector<Row>{RowAt(5, {Value(0, 42), Absent(1, Why::kGated)}, 3)});
}

TEST(RowAssemblerTest, TwoSweepsOfOneTimeStayTwoRows) {
  ReadingRing ring(16);
  RingSink sink(ring, GroupId{0});
  for (int i = 0; i < 2; ++i) {
    sink.Begin(At(5));
    sink.Put(ChannelId{0}, i);
    sink.End();
  }
  RowAssembler assembler;
  EXPECT_EQ(Drain(ring, assembler),
            (std::vector<Row>{RowAt(5, {Value(0, 0)}), RowAt(5, {Value(0, 1)})}));
}

TEST(RowAssemblerTest, DroppedReadingsAreMissingFromTheirRowAndCounted) {
  ReadingRing ring(2);
  RingSink sink(ring, GroupId{0});
  sink.Begin(At(5));
  for (std::uint32_t channel = 0; channel < 4; ++channel)
    sink.Put(ChannelId{channel}, 1);
  sink.End();
  EXPECT_EQ(ring.dropped(), 3u);
  RowAssembler assembler;
  EXPECT_TRUE(Drain(ring, assembler).empty()) << "its end was dropped too";
  sink.Begin(At(6));
  sink.Put(ChannelId{0}, 2);
  EXPECT_EQ(Drain(ring, assembler), std::vector<Row>{RowAt(5, {Value(0, 1), Value(1, 1)})});
}

TEST(RowAssemblerTest, CloseEndsARowWhoseWriterWillNotComeBack) {
  RowAssembler assembler;
  std::vector<Row> rows;
  const auto take = [&](const Row& row) { rows.push_back(row); };
  assembler.Add({.at = At(5), .value = 1, .channel = ChannelId{0}, .group = GroupId{0}}, take);
  assembler.Close(take);
  assembler.Close(take);
  EXPECT_EQ(rows, std::vector<Row>{RowAt(5, {Value(0, 1)})});
}

TEST(RowAssemblerTest, ReadingsOfAFullBookGoNowhere) {
  RowAssembler assembler;
  std::vector<Row> rows;
  const auto take = [&](const Row& row) { rows.push_back(row); };
  assembler.Add({.at = At(5), .value = 1, .channel = kNoChannel, .group = GroupId{0}}, take);
  assembler.Close(take);
  EXPECT_TRUE(rows.empty());
}

}  // namespace
}  // namespace tacho
