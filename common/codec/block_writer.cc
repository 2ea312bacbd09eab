// Blocks as bytes (docs/formats/codec.md).
#include <cassert>

#include "common/bytes.h"
#include "common/codec/bits.h"
#include "common/codec/block.h"
#include "common/codec/column.h"
#include "common/codec/packing.h"

namespace tacho {
namespace {

// Writes one block after another into the body; its buffers live on from column to column.
class BodyWriter {
 public:
  explicit BodyWriter(Bytes& body) : body_(body) {}

  void Write(const Block& block) {
    forms_.clear();
    settings_.clear();
    numbers_.clear();
    ByteWriter body(body_);
    body.Varint(Number(block.group));
    body.Varint(block.rows());
    body.Varint(block.columns.size());
    WriteTimes(block.times);
    std::int64_t key = kKeyBeforeFirst;
    for (const Column& column : block.columns) {
      assert(column.values.size() == block.rows() && column.why.size() == block.rows());
      WriteColumn(column, KeyOf(column.channel, column.stat) - key);
      key = KeyOf(column.channel, column.stat);
    }
    body.Raw(forms_);
    body.Raw(settings_);
    body.Raw(numbers_);
  }

 private:
  void WriteTimes(std::span<const BootTime> times) {
    ByteWriter settings(settings_);
    std::uint64_t last = 0;
    std::uint64_t last_step = 0;
    std::uint64_t any = 0;
    scratch_.clear();
    for (std::size_t i = 0; i < times.size(); ++i) {
      const auto now = static_cast<std::uint64_t>(Count(times[i]));
      const std::uint64_t step = now - last;
      const std::uint64_t change = ZigZag(static_cast<std::int64_t>(step - last_step));
      if (i == 0) {
        settings.Signed(Count(times[i]));
      } else if (i == 1) {
        settings.Signed(static_cast<std::int64_t>(step));
      } else {
        scratch_.push_back(change);
        any |= change;
      }
      last = now;
      last_step = step;
    }
    if (scratch_.empty()) return;
    const unsigned width = WidthOf(any);
    const bool is_packed = PackedSize(scratch_.size(), width) <= VarintsSize(scratch_);
    settings.U8(is_packed ? static_cast<std::uint8_t>(width) : kVarintWidth);
    is_packed ? PackBits(scratch_, width, numbers_) : PutVarints(scratch_, numbers_);
  }

  void WriteColumn(const Column& column, std::int64_t key_step) {
    assert(key_step > 0);
    const std::span<const std::int64_t> present = PresentValues(column);
    const bool has_absences = present.size() < column.values.size();
    ColumnPlan plan;
    scratch_.clear();
    if (!present.empty()) plan = PlanColumn(present, scratch_);

    ByteWriter forms(forms_);
    auto form = static_cast<std::uint8_t>(plan.method);
    if (has_absences) form |= kHasAbsences;
    if (plan.divisor != 1) form |= kHasDivisor;
    if (key_step != kStats) form |= kHasStep;
    forms.U8(form);
    if (key_step != kStats) forms.Varint(static_cast<std::uint64_t>(key_step - 1));

    ByteWriter settings(settings_);
    if (has_absences) WriteAbsences(column.why);
    if (!present.empty()) settings.Signed(plan.first);
    if (plan.divisor != 1) settings.Varint(plan.divisor);
    if (plan.width > 0) settings.U8(static_cast<std::uint8_t>(plan.width));

    if (plan.method == Method::kVarintDeltas) {
      PutVarints(scratch_, numbers_);
    } else if (plan.width > 0) {
      PackBits(scratch_, plan.width, numbers_);
    }
  }

  // The column itself where nothing is absent, else a copy without the absent rows.
  std::span<const std::int64_t> PresentValues(const Column& column) {
    bool has_absences = false;
    for (const Why why : column.why) {
      has_absences |= why != Why::kPresent;
    }
    if (!has_absences) return column.values;
    present_.clear();
    for (std::size_t i = 0; i < column.why.size(); ++i) {
      if (column.why[i] == Why::kPresent) present_.push_back(column.values[i]);
    }
    return present_;
  }

  void WriteAbsences(std::span<const Why> why) {
    ByteWriter settings(settings_);
    std::size_t start = 0;
    for (std::size_t i = 1; i <= why.size(); ++i) {
      if (i < why.size() && why[i] == why[start]) continue;
      settings.Varint((i - start) << 3 | static_cast<std::uint64_t>(why[start]));
      start = i;
    }
  }

  Bytes& body_;
  Bytes forms_;
  Bytes settings_;
  Bytes numbers_;
  std::vector<std::uint64_t> scratch_;
  std::vector<std::int64_t> present_;
};

}  // namespace

std::vector<std::byte> EncodeBlocks(std::span<const Block> blocks, Packing packing) {
  Bytes payload;
  ByteWriter head(payload);
  head.U8(kBlockVersion);
  head.U8(static_cast<std::uint8_t>(Packing::kNone));
  head.Varint(blocks.size());
  BodyWriter writer(payload);
  for (const Block& block : blocks) {
    writer.Write(block);
  }
  if (packing == Packing::kNone) return payload;
  const auto packed = Pack(std::span(payload).subspan(kBlockHead));
  if (!packed) return payload;
  payload.resize(kBlockHead);
  payload[1] = static_cast<std::byte>(Packing::kZstd);
  payload.insert(payload.end(), packed->begin(), packed->end());
  return payload;
}

}  // namespace tacho
