// What a robot's recorder would send: one boot's records, made in a few words.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/codec/block.h"
#include "common/dictionary.h"
#include "common/record.h"

namespace tacho {

inline BootId MadeBootId(std::uint8_t seed) {
  BootId boot;
  boot.bytes.fill(seed);
  return boot;
}

inline BootTime At(double seconds) {
  return BootTimeOf(static_cast<std::int64_t>(seconds * 1e9));
}

// One group "board" of one second: a temperature, a power and a counter.
inline Dictionary MadeDictionary(std::string power_mode = "30W") {
  Dictionary dictionary;
  dictionary.groups = {{GroupId{0}, "board", std::chrono::seconds(1)}};
  dictionary.channels = {
      {ChannelId{0}, GroupId{0}, "temperature", "tj", Unit::kCelsius, 3, Shape::kGauge, "Hot."},
      {ChannelId{1}, GroupId{0}, "power_rail", "VIN", Unit::kWatts, 3, Shape::kGauge, "Power."},
      {ChannelId{2}, GroupId{0}, "errors", "", Unit::kCount, 0, Shape::kCounter, "Errors."}};
  dictionary.setup = {{"model", "Orin"}, {"power_mode", std::move(power_mode)}};
  return dictionary;
}

// Writes the records of one boot and epoch, each stream counted from 1.
class MadeBoot {
 public:
  explicit MadeBoot(std::uint8_t seed = 1, Dictionary dictionary = MadeDictionary())
      : boot_(MadeBootId(seed)), epoch_(Epoch{seed}), dictionary_(std::move(dictionary)) {}

  const BootId& id() const { return boot_; }
  const Dictionary& dictionary() const { return dictionary_; }
  DictionaryHash hash() const { return HashOf(Encode(dictionary_)); }
  StreamKey Stream(Tier tier) const { return {boot_, epoch_, tier}; }
  void UseDictionary(Dictionary dictionary) { dictionary_ = std::move(dictionary); }

  Record DictionaryRecord() { return Event(RecordKind::kDictionary, Encode(dictionary_)); }
  Record Report(std::uint64_t counter) {
    BootReport report;
    report.boot_counter = counter;
    report.agent = "tachod test";
    report.recorder_started = At(0.5);
    return Event(RecordKind::kBoot, Encode(report));
  }
  Record Pair(BootTime boot, WallTime wall, ClockTrust trust) {
    return Event(RecordKind::kClock, Encode(ClockPair{boot, wall, trust}));
  }
  Record Opened(std::uint32_t number, std::string name, BootTime at) {
    return Run({RunChange::What::kOpened, number, std::move(name), at, "", {}});
  }
  Record Closed(std::uint32_t number, std::string name, BootTime at, std::string reason) {
    return Run({RunChange::What::kClosed, number, std::move(name), at, std::move(reason), {}});
  }
  Record Happened(std::string kind, std::string detail, BootTime at) {
    return Event(RecordKind::kEvent,
                 Encode(tacho::Event{at, Severity::kWarning, std::move(kind), std::move(detail)}));
  }
  Record Lost(Tier tier, SeqRange seqs, std::string reason) {
    return Event(RecordKind::kGap, Encode(Gap{Stream(tier), seqs, std::move(reason)}));
  }
  // `count` seconds from `first_second` on, one seq each; values by row and channel.
  Record Seconds(int first_second, int count) {
    return Summary(Rows(first_second, count), static_cast<std::uint64_t>(count));
  }
  Record Summary(const Block& block, std::uint64_t seqs) {
    Record record;
    record.stream = Stream(Tier::kSummaries);
    record.seqs = {Seq{next_summary_}, seqs};
    next_summary_ += seqs;
    record.kind = RecordKind::kSummary;
    record.dictionary = hash();
    record.payload = EncodeBlocks(std::span(&block, 1), Packing::kZstd);
    return record;
  }

  // Temperature 40 C + second / 8, power 20 W alternating with 22 W, one error a second.
  static Block Rows(int first_second, int count) {
    Block block;
    block.group = GroupId{0};
    block.columns.resize(3);
    for (std::uint32_t c = 0; c < 3; ++c)
      block.columns[c].channel = ChannelId{c};
    for (int second = first_second; second < first_second + count; ++second) {
      block.times.push_back(At(second));
      const std::int64_t values[] = {40000 + second * 125, second % 2 == 0 ? 20000 : 22000, second};
      for (std::size_t c = 0; c < 3; ++c) {
        block.columns[c].values.push_back(values[c]);
        block.columns[c].why.push_back(Why::kPresent);
      }
    }
    return block;
  }

 private:
  Record Event(RecordKind kind, std::vector<std::byte> payload) {
    Record record;
    record.stream = Stream(Tier::kEvents);
    record.seqs = {Seq{next_event_++}, 1};
    record.kind = kind;
    record.payload = std::move(payload);
    return record;
  }
  Record Run(const RunChange& change) {
    Record record = Event(RecordKind::kRun, Encode(change));
    record.dictionary = hash();
    return record;
  }

  BootId boot_;
  Epoch epoch_;
  Dictionary dictionary_;
  std::uint64_t next_event_ = 1;
  std::uint64_t next_summary_ = 1;
};

}  // namespace tacho
