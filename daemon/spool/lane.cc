// A segment that failed is left at once: what a second try would say of it proves nothing.
#include "daemon/spool/lane.h"

#include <algorithm>
#include <utility>

namespace tacho {
namespace {

// What a held record costs beside its payload.
constexpr std::size_t kHeldOverhead = sizeof(HeldRecord);

std::size_t SizeOf(const HeldRecord& record) {
  return kHeldOverhead + record.payload.size();
}

void AppendTerminator(std::vector<std::byte>& bytes, std::size_t offset, std::int64_t whole) {
  const std::size_t room = static_cast<std::size_t>(whole) - offset - bytes.size();
  bytes.resize(bytes.size() + std::min(kTerminatorBytes, room));
}

}  // namespace

Seq Lane::Push(RecordKind kind, DictionaryHash dictionary, std::span<const std::byte> payload) {
  held_.push_back({next_seq_, kind, dictionary, {payload.begin(), payload.end()}});
  held_bytes_ += SizeOf(held_.back());
  next_seq_ = next_seq_ + 1;
  return held_.back().seq;
}

bool Lane::FitsNext() const {
  return slot_ != nullptr && offset_ + kMaxFrameOverhead + next().payload.size() <=
                                 static_cast<std::size_t>(slot_->bytes);
}

Status Lane::WriteNext() {
  const HeldRecord& record = next();
  const Frame frame{record.seq, record.kind, record.dictionary, record.payload};
  std::vector<std::byte> bytes = EncodeFrame(slot_->header, offset_, frame);
  const std::size_t size = bytes.size();
  AppendTerminator(bytes, offset_, slot_->bytes);
  is_dirty_ = true;
  Status status = file_->Write(static_cast<std::int64_t>(offset_), bytes);
  if (!status.ok()) return GiveUp(std::move(status));
  offset_ += size;
  slot_->end = record.seq + 1;
  ++written_;
  return {};
}

Status Lane::Start(Slot& slot, const SegmentHeader& header) {
  std::vector<std::byte> bytes = EncodeHeader(header);
  AppendTerminator(bytes, 0, slot.bytes);
  auto file = pool_.OpenFile(slot);
  Status status = file.ok() ? (*file)->Write(0, bytes) : *file.error();
  if (!status.ok()) {
    pool_.Discard(slot);
    return status;
  }
  slot.state = HeaderState::kUsed;
  slot.header = header;
  slot.end = header.first;
  slot.is_writing = true;
  slot_ = &slot;
  file_ = *std::move(file);
  offset_ = kSegmentHeaderBytes;
  holds_synced_ = false;
  return {};
}

Status Lane::Resume(Slot& slot, const FramePosition& end) {
  auto file = pool_.OpenFile(slot);
  if (!file.ok()) return std::move(file).status();
  file_ = *std::move(file);
  slot_ = &slot;
  slot.is_writing = true;
  slot.end = end.last + 1;
  offset_ = end.offset;
  next_seq_ = end.last + 1;
  holds_synced_ = true;
  is_dirty_ = true;  // the last records of the recorder before may not be synced
  return {};
}

Status Lane::Sync() {
  if (!is_dirty_) return {};
  // It would succeed, and what is held would be forgotten. The lane stays as it is until Forsake.
  if (!file_->IsInPlace()) return {Code::kUnavailable, slot_->name + " was taken away"};
  Status status = file_->Sync();
  if (!status.ok()) return GiveUp(std::move(status));
  is_dirty_ = false;
  holds_synced_ = holds_synced_ || written_ > 0;
  for (; written_ > 0; --written_) {
    held_bytes_ -= SizeOf(held_.front());
    held_.pop_front();
  }
  return {};
}

Status Lane::Seal() {
  TACHO_TRY(Sync());
  Leave();
  return {};
}

void Lane::GiveUpUnsynced() {
  // The reason is known to whoever calls.
  if (is_dirty_) (void)GiveUp(Status());
}

void Lane::Forsake() {
  slot_->end = held_.empty() ? next_seq_ : held_.front().seq;
  Leave();
  written_ = 0;
}

Status Lane::GiveUp(Status why) {
  Slot& slot = *slot_;
  slot.is_suspect = true;
  slot.end = held_.empty() ? next_seq_ : held_.front().seq;
  Leave();
  if (!holds_synced_) pool_.Discard(slot);
  written_ = 0;
  return why;
}

void Lane::Leave() {
  slot_->is_writing = false;
  slot_ = nullptr;
  file_.reset();
  is_dirty_ = false;
}

HeldRecord Lane::DropOldest() {
  HeldRecord oldest = std::move(held_.front());
  held_.pop_front();
  held_bytes_ -= SizeOf(oldest);
  return oldest;
}

}  // namespace tacho
