// A spool in memory, with a ledger that tells the test what was written to it.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "common/codec/block.h"
#include "daemon/uplink/record_source.h"

namespace tacho {

class FakeRecordSource final : public RecordSource {
 public:
  void Add(Record record) {
    auto& records = streams_[record.stream];
    records.push_back(std::move(record));
  }
  // The next seq of an event with this text as payload.
  void AddEvent(const StreamKey& stream, Seq seq, std::size_t bytes = 10) {
    Record record{stream, {seq, 1}, RecordKind::kEvent, {}, {}};
    record.payload.assign(bytes, std::byte{1});
    Add(record);
  }
  // One second of one channel, whose value is the seq.
  void AddSummary(const StreamKey& stream, Seq seq, DictionaryHash dictionary = {}) {
    Block block;
    block.times.push_back(BootTimeOf(static_cast<std::int64_t>(Number(seq)) * 1'000'000'000));
    block.columns.push_back(
        {ChannelId{0}, Stat::kValue, {static_cast<std::int64_t>(Number(seq))}, {Why::kPresent}});
    Add({stream,
         {seq, 1},
         RecordKind::kSummary,
         dictionary,
         EncodeBlocks(std::span(&block, 1), Packing::kNone)});
  }
  void AddSummaries(const StreamKey& stream, std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t seq = from; seq <= to; ++seq) {
      AddSummary(stream, Seq{seq});
    }
  }
  void Evict(const StreamKey& stream, SeqRange seqs) {
    std::erase_if(streams_[stream], [&](const Record& record) {
      return record.seqs.first >= seqs.first && record.seqs.first < seqs.end();
    });
  }

  Result<std::vector<SpooledStream>> Streams() override {
    ++looks;
    if (!failure.ok()) return failure;
    std::vector<SpooledStream> held;
    for (const auto& [key, records] : streams_) {
      if (records.empty()) continue;
      held.push_back(
          {key, boot_counters[key.boot], records.front().seqs.first, records.back().seqs.first});
    }
    return held;
  }
  Result<std::vector<Record>> Read(const StreamKey& stream, Seq from, ReadLimit limit) override {
    ++reads;
    if (stream.tier == Tier::kEvents) events_asked = std::max(events_asked, limit.records);
    std::vector<Record> found;
    std::size_t bytes = 0;
    for (const Record& record : streams_[stream]) {
      if (record.seqs.first < from) continue;
      bytes += record.payload.size();
      if (!found.empty() && (found.size() == limit.records || bytes > limit.bytes)) break;
      found.push_back(record);
    }
    return found;
  }
  Seq Through(const StreamKey& stream) override { return ledger[stream]; }
  Status Acknowledge(const StreamKey& stream, Seq through) override {
    ledger[stream] = std::max(ledger[stream], through);
    return Status();
  }

  std::map<BootId, std::uint64_t> boot_counters;
  std::map<StreamKey, Seq> ledger;
  Status failure;
  int looks = 0;
  int reads = 0;
  std::size_t events_asked = 0;  // at once, at most

 private:
  std::map<StreamKey, std::vector<Record>> streams_;
};

}  // namespace tacho
