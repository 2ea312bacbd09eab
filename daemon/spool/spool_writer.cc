// When to believe the disk: the lanes write, this decides what a failure means and when to try
// again.
#include "daemon/spool/spool_writer.h"

#include <algorithm>
#include <utility>

#include "daemon/spool/damage.h"

namespace tacho {
namespace {

using std::chrono::seconds;

// A disk that refuses is asked again so soon, then twice as late each time.
constexpr Nanos kFirstRetry = seconds(2);
constexpr Nanos kLongestRetry = seconds(60);
constexpr std::size_t kMaxPayload = (16u << 20) - 1;
constexpr std::size_t kMaxWarnings = 64;

}  // namespace

std::unique_ptr<SpoolWriter> SpoolWriter::Open(const SpoolConfig& config, Disk& disk,
                                               const BootId& boot,
                                               std::function<std::uint64_t()> random,
                                               BootTime now) {
  auto writer = std::unique_ptr<SpoolWriter>(
      new SpoolWriter(Normalized(config), disk, boot, std::move(random)));
  // Its answer is ignored since the writer remembers it and goes on in memory.
  (void)writer->Write(now);
  return writer;
}

SpoolWriter::SpoolWriter(const SpoolConfig& config, Disk& disk, const BootId& boot,
                         std::function<std::uint64_t()> random)
    : config_(config),
      disk_(disk),
      boot_file_(config.folder / "boot", kBootMagic, disk),
      identity_{boot, 0, Epoch{random()}},
      lanes_(config, disk, std::move(random), counters_),
      retry_after_(kFirstRetry) {
  lanes_.Identify(identity_);
}

// Makes the folder this writer's, and takes over what it holds.
Status SpoolWriter::Load() {
  TACHO_TRY(disk_.MakeFolder(config_.folder));
  TACHO_TRY(boot_file_.OpenToWrite(Disk::Access::kExclusive));
  counters_.damaged_segments = 0;
  TACHO_TRY(lanes_.Load());
  TACHO_TRY(LoadBoot());
  const auto resumption = FindResumption(lanes_.pool(), identity_.boot, before_, lanes_.ledger());
  TACHO_TRY(Mark(RecorderState::kRunning));
  TACHO_TRY(disk_.SyncFolder(config_.folder));
  is_loaded_ = true;
  NameDamage(resumption);
  Continue(resumption);
  return {};
}

// Once: a second try must not take this writer's own mark for the one before.
Status SpoolWriter::LoadBoot() {
  if (!knows_before_) {
    auto value = boot_file_.Load();
    if (!value.ok()) return std::move(value).status();
    if (*value) {
      if (auto record = DecodeBootRecord(**value); record.ok()) before_ = *record;
    }
    is_boot_damaged_ = boot_file_.is_damaged() || (*value && !before_);
    knows_before_ = true;
  }
  // A lost boot file costs no order: every segment names its boot's counter.
  const std::uint64_t highest =
      std::max(lanes_.pool().HighestBootCounter(), before_ ? before_->counter : 0);
  const bool is_same_boot = before_ && before_->boot == identity_.boot;
  identity_.boot_counter = is_same_boot ? before_->counter : highest + 1;
  return {};
}

// What the folder lost is one line each, at most so many: a folder of rubbish must not flood the
// journal.
void SpoolWriter::NameDamage(const Resumption& resumption) {
  warnings_ = resumption.warnings;
  for (const auto& slot : lanes_.pool().slots()) {
    auto complaint =
        ComplaintOf(lanes_.pool().PathOf(*slot), slot->state, slot->header, slot->bytes);
    if (complaint && warnings_.size() < kMaxWarnings) warnings_.push_back(*std::move(complaint));
  }
  if (!is_boot_damaged_) return;
  warnings_.push_back(boot_file_.path().string() +
                      ": no whole page at byte 0 or 4096; boots are counted on from the segments");
}

PreviousEnd SpoolWriter::previous_end() const {
  if (!before_) return PreviousEnd::kUnknown;
  return before_->state == RecorderState::kClean ? PreviousEnd::kClean : PreviousEnd::kUnclean;
}

// Goes on with the epoch of the recorder before, if nothing speaks against it.
void SpoolWriter::Continue(const Resumption& resumption) {
  for (const Gap& gap : resumption.damaged) {
    lanes_.AddGap(gap);
  }
  const bool may_continue = resumption.is_proven && counters_.appended == 0;
  if (may_continue && lanes_.Resume(resumption).ok()) {
    identity_.epoch = resumption.epoch;
    is_new_epoch_ = false;
  }
  lanes_.Identify(identity_);
}

Status SpoolWriter::Mark(RecorderState state) {
  TACHO_TRY(boot_file_.Store(Encode(BootRecord{identity_.boot, identity_.boot_counter, state})));
  TACHO_TRY(boot_file_.Sync());
  marked_ = state;
  return {};
}

std::size_t SpoolWriter::max_payload() const {
  const auto room = static_cast<std::size_t>(config_.segment_bytes);
  return std::min(room - kSegmentHeaderBytes - kMaxFrameOverhead, kMaxPayload);
}

Result<Seq> SpoolWriter::Append(Tier tier, RecordKind kind, DictionaryHash dictionary,
                                std::span<const std::byte> payload, BootTime now) {
  if (payload.size() > max_payload()) {
    return Status(Code::kInvalid, "spool: a record of " + std::to_string(payload.size()) +
                                      " bytes is more than a segment holds");
  }
  const Seq seq = lanes_.Push(tier, kind, dictionary, payload);
  ++counters_.appended;
  // Its answer is ignored since a record that could not be written is held in memory.
  (void)Write(now);
  LimitMemory(now);
  return seq;
}

Status SpoolWriter::TryWrite() {
  if (!is_loaded_) TACHO_TRY(Load());
  if (!is_in_place_) TACHO_TRY(Reclaim());
  // The first record of an epoch is the caller's boot report, not a gap.
  if (counters_.appended == 0) return {};
  if (!is_trimmed_) TACHO_TRY(lanes_.Trim());
  is_trimmed_ = true;
  return lanes_.WriteWaiting();
}

// Writes what waits. A failure is tried once more, on other segments, before the disk is left alone
// for a while.
Status SpoolWriter::Write(BootTime now) {
  if (counters_.is_ram_only && now < retry_at_) return {Code::kUnavailable, last_failure_};
  Status status = TryWrite();
  if (!status.ok()) {
    Fail(status);
    LookForLost();
    status = TryWrite();
  }
  if (!status.ok()) {
    Fail(status);
    KeepInMemory(now);
    return std::move(status).Under("spool");
  }
  counters_.is_ram_only = false;
  return {};
}

Status SpoolWriter::Sync(BootTime now) {
  if (is_loaded_ && is_in_place_ && !(boot_file_.IsInPlace() && lanes_.IsInPlace())) LookForLost();
  TACHO_TRY(Write(now));
  Status status = lanes_.Sync();
  if (!status.ok()) {
    Fail(status);
    LookForLost();
    TACHO_TRY(Write(now));
    status = lanes_.Sync();
  }
  if (!status.ok()) {
    Fail(status);
    KeepInMemory(now);
    return std::move(status).Under("spool");
  }
  retry_after_ = kFirstRetry;
  last_failure_.clear();
  // All is proven again. A mark that can't be written only costs an epoch at the next start.
  if (marked_ == RecorderState::kUnproven && lanes_.IsAnchored()) {
    (void)Mark(RecorderState::kRunning);
  }
  return {};
}

void SpoolWriter::LookForLost() {
  if (!is_loaded_) return;
  auto names = disk_.List(config_.folder);
  // A disk that fails is no proof; a folder that is not there is.
  if (!names.ok() && names.error()->code() != Code::kNotFound) return;
  const bool is_lost = lanes_.ForgetLost(names.ok() ? *names : std::vector<std::string>{});
  if (!boot_file_.IsInPlace()) {
    boot_file_.Close();
    is_in_place_ = false;
  }
  // A tier of which nothing is left does not tell a recorder that starts over where its seqs go on.
  if (is_lost || !is_in_place_) marked_ = RecorderState::kUnproven;
  if (is_lost && is_in_place_) (void)Mark(marked_);  // ignored as in Fail
}

// Makes the folder this writer's again, after its files were taken away.
Status SpoolWriter::Reclaim() {
  TACHO_TRY(disk_.MakeFolder(config_.folder));
  TACHO_TRY(boot_file_.OpenToWrite(Disk::Access::kExclusive));
  TACHO_TRY(Mark(RecorderState::kUnproven));
  TACHO_TRY(disk_.SyncFolder(config_.folder));
  is_in_place_ = true;
  return {};
}

Status SpoolWriter::Close(BootTime now) {
  TACHO_TRY(Sync(now));
  return lanes_.IsAnchored() ? Mark(RecorderState::kClean) : Status();
}

// From here on files may lack what readers have seen: a recorder that starts over must not go on
// with these seqs.
void SpoolWriter::Fail(const Status& why) {
  last_failure_ = why.message();
  if (!is_loaded_ || !is_in_place_ || marked_ == RecorderState::kUnproven) return;
  // Its answer is ignored since there's no other place to leave the mark.
  (void)Mark(RecorderState::kUnproven);
  marked_ = RecorderState::kUnproven;
}

void SpoolWriter::KeepInMemory(BootTime now) {
  counters_.is_ram_only = true;
  lanes_.GiveUpUnsynced();
  retry_at_ = now + retry_after_;
  retry_after_ = std::min(retry_after_ * 2, kLongestRetry);
}

void SpoolWriter::LimitMemory(BootTime now) {
  const auto most = static_cast<std::size_t>(config_.ram_bytes);
  if (lanes_.held_bytes() <= most) return;
  // Its answer is ignored since a sync that failed leaves the records to be dropped below.
  if (!counters_.is_ram_only) (void)Sync(now);
  while (lanes_.held_bytes() > most) {
    lanes_.DropOldest();
  }
}

std::uint64_t SpoolWriter::CountUnacknowledged() {
  return lanes_.CountUnacknowledged();
}

}  // namespace tacho
