// Bytes back into blocks, trusting none of them (docs/formats/codec.md).
#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "common/bytes.h"
#include "common/codec/bits.h"
#include "common/codec/block.h"
#include "common/codec/column.h"
#include "common/codec/packing.h"

namespace tacho {
namespace {

constexpr std::int64_t kMostKey =
    KeyOf(ChannelId{std::numeric_limits<std::uint32_t>::max()}, Stat::kCount);
constexpr std::uint64_t kMostWhy = static_cast<std::uint64_t>(Why::kMissing);

// Reads a body; the first mistake is kept, and nothing is read after it.
class BodyReader {
 public:
  BodyReader(std::span<const std::byte> body, std::size_t body_at, bool is_unpacked,
             const BlockLimits& limits)
      : reader_(body), body_at_(body_at), is_unpacked_(is_unpacked), limits_(limits) {}

  Result<std::vector<Block>> Read() {
    std::vector<Block> blocks;
    const std::uint64_t count = reader_.Varint();
    if (count > limits_.blocks) Exhaust("blocks", limits_.blocks);
    for (std::uint64_t i = 0; i < count && is_going(); ++i) {
      ReadBlock(blocks.emplace_back());
    }
    if (is_going() && reader_.left() > 0) Refuse("bytes after the end");
    if (!reader_.ok()) Refuse("it is cut short, or a varint is too long,");
    if (!status_.ok()) return std::move(status_);
    return blocks;
  }

 private:
  // What the form and the settings say of a column, until its numbers are read.
  struct Draft {
    ColumnPlan plan;
    std::uint8_t form = 0;
    std::size_t present = 0;
  };

  bool is_going() const { return status_.ok() && reader_.ok(); }
  void Refuse(const std::string& what) {
    if (!status_.ok()) return;
    status_ = Status(Code::kCorrupt, "block: " + what + " at byte " +
                                         std::to_string(body_at_ + reader_.offset()) +
                                         (is_unpacked_ ? " of the unpacked body" : ""));
  }
  void Exhaust(const std::string& what, std::size_t limit) {
    if (!status_.ok()) return;
    status_ = Status(Code::kExhausted, "block: more " + what + " than " + std::to_string(limit));
  }

  void ReadBlock(Block& block) {
    const std::uint64_t group = reader_.Varint();
    const std::uint64_t rows = reader_.Varint();
    const std::uint64_t columns = reader_.Varint();
    if (group > std::numeric_limits<std::uint16_t>::max()) Refuse("a group id above 65535");
    if (!Spend(rows, columns)) return;
    block.group = GroupId{static_cast<std::uint16_t>(group)};
    std::vector<Draft> drafts;
    ReadForms(block, columns, drafts);
    if (!is_going()) return;
    block.times.resize(static_cast<std::size_t>(rows));
    const unsigned time_width = ReadTimeSettings(block.times);
    for (std::size_t i = 0; i < drafts.size() && is_going(); ++i) {
      ReadSettings(block.columns[i], block.rows(), drafts[i]);
    }
    if (is_going()) ReadTimes(time_width, block.times);
    for (std::size_t i = 0; i < drafts.size() && is_going(); ++i) {
      ReadValues(drafts[i], block.columns[i]);
    }
  }

  // Takes what a block wants to allocate off the limits. False if that is too much.
  bool Spend(std::uint64_t rows, std::uint64_t columns) {
    if (rows > limits_.rows) Exhaust("rows in a block", limits_.rows);
    if (columns > limits_.columns - columns_) Exhaust("columns", limits_.columns);
    if (!is_going()) return false;
    const std::uint64_t cells = rows * (columns + 1);  // no overflow: both are within limits
    if (cells > limits_.cells - cells_) Exhaust("cells", limits_.cells);
    columns_ += static_cast<std::size_t>(columns);
    cells_ += static_cast<std::size_t>(cells);
    return is_going();
  }

  void ReadForms(Block& block, std::uint64_t columns, std::vector<Draft>& drafts) {
    std::int64_t key = kKeyBeforeFirst;
    for (std::uint64_t i = 0; i < columns && is_going(); ++i) {
      Draft draft;
      draft.form = reader_.U8();
      draft.plan.method = static_cast<Method>(draft.form & kMethodBits);
      if ((draft.form & ~kFormBits) != 0) Refuse("a form with unknown bits");
      std::int64_t step = kStats;
      if ((draft.form & kHasStep) != 0) {
        const std::uint64_t beyond = reader_.Varint();
        if (beyond > static_cast<std::uint64_t>(kMostKey + kStats)) {
          return Refuse("a step beyond the last channel");
        }
        step = static_cast<std::int64_t>(beyond) + 1;
        if (step == kStats) Refuse("a step that need not be written");
      }
      if (!is_going()) return;
      key += step;
      if (key < 0 || key > kMostKey) return Refuse("a channel id outside 32 bits");
      drafts.push_back(draft);
      Column& column = block.columns.emplace_back();
      column.channel = ChannelId{static_cast<std::uint32_t>(key / kStats)};
      column.stat = static_cast<Stat>(key % kStats);
    }
  }

  // The width of the differences of differences; the first time and difference go into `times`.
  unsigned ReadTimeSettings(std::span<BootTime> times) {
    if (!times.empty()) times[0] = BootTimeOf(reader_.Signed());
    if (times.size() > 1) times[1] = BootTimeOf(reader_.Signed());
    if (times.size() < 3) return 0;
    const unsigned width = reader_.U8();
    if (width > kVarintWidth) Refuse("a width above 65 bits");
    return width;
  }

  void ReadSettings(Column& column, std::size_t rows, Draft& draft) {
    ColumnPlan& plan = draft.plan;
    draft.present = rows;
    column.why.assign(rows, Why::kPresent);
    if ((draft.form & kHasAbsences) != 0) draft.present = ReadAbsences(column.why);
    if (draft.present > 0) plan.first = reader_.Signed();
    if ((draft.form & kHasDivisor) != 0) {
      plan.divisor = reader_.Varint();
      if (plan.divisor < 2) Refuse("a divisor below 2");
    }
    if (plan.method == Method::kPackedOffsets || plan.method == Method::kPackedDeltas) {
      plan.width = reader_.U8();
      if (plan.width < 1 || plan.width > 64) Refuse("a width outside 1 to 64 bits");
    }
    const bool is_constant = plan.method == Method::kConstant;
    if (is_constant && plan.divisor != 1) Refuse("a constant with a divisor");
    if (!is_constant && draft.present < 2) Refuse("a moving column of fewer than two values");
  }

  // Fills `why` from its runs; returns how many rows are present.
  std::size_t ReadAbsences(std::span<Why> why) {
    std::size_t present = 0;
    std::uint64_t before = kMostWhy + 1;
    for (std::size_t row = 0; row < why.size();) {
      const std::uint64_t run = reader_.Varint();
      const std::uint64_t length = run >> 3;
      const std::uint64_t reason = run & 7;
      if (reason > kMostWhy || reason == before || length < 1 || length > why.size() - row) {
        Refuse("a run of absences that no writer writes");
        return 0;
      }
      before = reason;
      const auto run_rows = why.subspan(row, static_cast<std::size_t>(length));
      std::fill(run_rows.begin(), run_rows.end(), static_cast<Why>(reason));
      if (reason == 0) present += run_rows.size();
      row += run_rows.size();
    }
    if (present == why.size()) Refuse("absences of which there are none");
    return present;
  }

  void ReadTimes(unsigned width, std::span<BootTime> times) {
    if (times.size() < 2) return;
    if (times.size() > 2 && !ReadNumbers(width == kVarintWidth, width, times.size() - 2)) return;
    auto step = static_cast<std::uint64_t>(Count(times[1]));
    auto now = static_cast<std::uint64_t>(Count(times[0]));
    for (std::size_t i = 1; i < times.size(); ++i) {
      if (i > 1) step += static_cast<std::uint64_t>(UnZigZag(numbers_[i - 2]));
      now += step;
      times[i] = BootTimeOf(static_cast<std::int64_t>(now));
    }
  }

  void ReadValues(const Draft& draft, Column& column) {
    column.values.resize(column.why.size());
    if (draft.present == 0) return;
    const bool is_varints = draft.plan.method == Method::kVarintDeltas;
    const std::size_t count = NumbersOf(draft.plan.method, draft.present);
    if (!ReadNumbers(is_varints, draft.plan.width, count)) return;
    RestoreColumn(draft.plan, numbers_, std::span(column.values).first(draft.present));
    if (draft.present == column.why.size()) return;
    // The present values lie at the front: the last row first, each moves to where it belongs.
    std::size_t left = draft.present;
    for (std::size_t row = column.why.size(); row-- > 0;) {
      column.values[row] = column.why[row] == Why::kPresent ? column.values[--left] : 0;
    }
  }

  // Leaves `count` numbers in numbers_. False if they are not all there.
  bool ReadNumbers(bool is_varints, unsigned width, std::size_t count) {
    if (is_varints) {
      if (count > reader_.left()) return Cut();
      numbers_.resize(count);
      for (std::uint64_t& number : numbers_) {
        number = reader_.Varint();
      }
      return reader_.ok();
    }
    const std::size_t size = PackedSize(count, width);
    if (size > reader_.left()) return Cut();
    numbers_.resize(count);
    if (!UnpackBits(reader_.Raw(size), width, numbers_)) Refuse("bits after the last number");
    return is_going();
  }

  bool Cut() {
    Refuse("it is cut short");
    return false;
  }

  ByteReader reader_;
  std::size_t body_at_;
  bool is_unpacked_;
  const BlockLimits& limits_;
  std::size_t columns_ = 0;
  std::size_t cells_ = 0;
  Status status_;
  std::vector<std::uint64_t> numbers_;
};

}  // namespace

Result<std::vector<Block>> DecodeBlocks(std::span<const std::byte> bytes,
                                        const BlockLimits& limits) {
  if (bytes.size() < kBlockHead) {
    return Status(Code::kCorrupt, "block: it is cut short at byte " + std::to_string(bytes.size()));
  }
  if (bytes[0] != std::byte{kBlockVersion}) {
    return Status(Code::kCorrupt, "block: unknown version at byte 0");
  }
  const auto payload = bytes.subspan(kBlockHead);
  const auto packing = static_cast<Packing>(bytes[1]);
  if (packing == Packing::kNone) return BodyReader(payload, kBlockHead, false, limits).Read();
  if (packing != Packing::kZstd) return Status(Code::kCorrupt, "block: unknown packing at byte 1");
  auto body = Unpack(payload, limits.unpacked_bytes);
  if (!body.ok()) return std::move(body).status();
  return BodyReader(*body, 0, true, limits).Read();
}

}  // namespace tacho
