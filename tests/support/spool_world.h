// A spool in a test: what was appended, what a reader finds, and whether the two agree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "common/ids.h"
#include "common/record.h"
#include "common/seq_ranges.h"
#include "daemon/spool/disk.h"
#include "daemon/spool/spool_reader.h"
#include "daemon/spool/spool_writer.h"

namespace tacho {

using Payload = std::vector<std::byte>;
using RecordKey = std::pair<StreamKey, Seq>;

inline BootId TestBoot(std::uint8_t number) {
  BootId boot;
  boot.bytes.fill(number);
  return boot;
}

inline BootTime Seconds(std::int64_t seconds) {
  return BootTime(std::chrono::seconds(seconds));
}

// All that a reader finds, in the order of its streams.
struct Found {
  std::vector<SpooledStream> streams;
  std::map<RecordKey, Record> records;
  std::map<StreamKey, SeqRanges> gaps;
  std::vector<std::string> warnings;

  bool IsGap(const RecordKey& key) const {
    const auto it = gaps.find(key.first);
    return it != gaps.end() && it->second.Contains({key.second, 1});
  }
};

inline Found ReadAll(SpoolReader& reader, std::size_t max_bytes = 1000) {
  Found found;
  EXPECT_TRUE(reader.Refresh().ok());
  found.streams = reader.Streams();
  for (const SpooledStream& stream : found.streams) {
    Seq after{};
    while (true) {
      const auto records = reader.Read(stream.key, after, max_bytes);
      if (records.empty()) break;
      for (const Record& record : records) {
        EXPECT_EQ(record.stream, stream.key);
        EXPECT_EQ(record.seqs.count, 1u);
        EXPECT_GT(record.seqs.first, after) << "a record came twice";
        after = record.seqs.first;
        found.records[{stream.key, after}] = record;
        if (record.kind != RecordKind::kGap) continue;
        const auto gap = DecodeGap(record.payload);
        if (gap.ok()) found.gaps[gap->stream].Add(gap->seqs);
      }
    }
  }
  found.warnings = reader.TakeWarnings();
  return found;
}

// One robot's spool over several recorders. Time passes by one second a record.
class SpoolWorld {
 public:
  SpoolWorld(SpoolConfig config, Disk& disk) : config_(std::move(config)), disk_(disk) {}

  SpoolWriter& Start(std::uint8_t boot = 1) {
    writer_.reset();
    boot_ = TestBoot(boot);
    writer_ = SpoolWriter::Open(
        config_, disk_, boot_, [this] { return random_(); }, Seconds(now_));
    return *writer_;
  }
  // As a kill would: nothing is closed or synced.
  void Kill() { writer_.reset(); }
  SpoolWriter& writer() { return *writer_; }
  SpoolConfig& config() { return config_; }
  StreamKey StreamOf(Tier tier) const { return {boot_, writer_->epoch(), tier}; }
  BootTime now() const { return Seconds(now_); }
  void Pass(std::int64_t seconds) { now_ += seconds; }

  // Appends something nobody appended before, and remembers it.
  Seq Append(Tier tier, std::size_t size = 40) {
    Payload payload(size);
    const std::uint64_t number = ++appended_;
    for (std::size_t i = 0; i < size; ++i) {
      payload[i] = static_cast<std::byte>(i < 8 ? number >> (8 * i) : random_());
    }
    const auto kind = tier == Tier::kEvents ? RecordKind::kEvent : RecordKind::kSummary;
    return AppendAs(tier, kind, std::move(payload));
  }
  Seq AppendAs(Tier tier, RecordKind kind, Payload payload) {
    ++now_;
    const auto seq = writer_->Append(tier, kind, DictionaryHash{77}, payload, Seconds(now_));
    EXPECT_TRUE(seq.ok());
    const RecordKey key{StreamOf(tier), *seq};
    EXPECT_FALSE(produced_.contains(key)) << "a seq was given twice";
    produced_[key] = std::move(payload);
    return *seq;
  }
  Status Sync() {
    const Status status = writer_->Sync(Seconds(now_));
    if (status.ok()) synced_ = produced_;
    return status;
  }

  Found Read() {
    SpoolReader reader(config_.folder, disk_);
    return ReadAll(reader);
  }
  const std::map<RecordKey, Payload>& produced() const { return produced_; }
  // As of the last Sync that succeeded.
  const std::map<RecordKey, Payload>& synced() const { return synced_; }
  // What was never promised to survive may be appended again under another name.
  void Forget(const RecordKey& key) { produced_.erase(key); }

  // Each of `expected` was read back as it was, or a gap tells of it.
  static void ExpectAccounted(const std::map<RecordKey, Payload>& expected, const Found& found) {
    for (const auto& [key, payload] : expected) {
      const auto record = found.records.find(key);
      if (record != found.records.end()) {
        EXPECT_EQ(record->second.payload, payload) << "seq " << Number(key.second);
      } else {
        EXPECT_TRUE(found.IsGap(key)) << "tier " << static_cast<int>(key.first.tier) << " seq "
                                      << Number(key.second) << " is neither stored nor a gap";
      }
    }
  }
  // No stream has a seq below its last that is neither stored nor a gap.
  static void ExpectNoHoles(const Found& found) {
    for (const SpooledStream& stream : found.streams) {
      for (Seq seq{1}; seq <= stream.last; seq = seq + 1) {
        const RecordKey key{stream.key, seq};
        EXPECT_TRUE(found.records.contains(key) || found.IsGap(key))
            << "tier " << static_cast<int>(stream.key.tier) << " seq " << Number(seq);
      }
    }
  }
  // Nothing was read that was not appended; gaps and what an eviction repeats aside.
  void ExpectNothingFalse(const Found& found) const {
    for (const auto& [key, record] : found.records) {
      const auto it = produced_.find(key);
      if (it != produced_.end()) {
        EXPECT_EQ(record.payload, it->second) << "seq " << Number(key.second);
      } else {
        EXPECT_TRUE(record.kind == RecordKind::kGap || record.kind == RecordKind::kDictionary);
      }
    }
  }
  void ExpectSound(const Found& found) const {
    ExpectAccounted(produced_, found);
    ExpectNoHoles(found);
    ExpectNothingFalse(found);
  }

 private:
  SpoolConfig config_;
  Disk& disk_;
  BootId boot_;
  std::mt19937_64 random_{7};
  std::unique_ptr<SpoolWriter> writer_;
  std::int64_t now_ = 0;
  std::uint64_t appended_ = 0;
  std::map<RecordKey, Payload> produced_;
  std::map<RecordKey, Payload> synced_;
};

}  // namespace tacho
