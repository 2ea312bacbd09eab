// Hands what the recorder has to say to the spool, as records.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "common/codec/block.h"
#include "common/dictionary.h"
#include "common/record.h"
#include "daemon/recorder/outbox.h"

namespace tacho {

// Loop thread. Each call is false when the queue to the spool is full: the record is lost and
// counted, and `on_stored` will not be called.
class Journal {
 public:
  using OnStored = std::function<void(const Stored&)>;

  explicit Journal(Outbox& outbox) : outbox_(outbox) {}

  // Summaries and runs that follow are understood by this dictionary.
  bool AddDictionary(const Dictionary& dictionary);
  DictionaryHash dictionary() const { return hash_; }

  bool AddClock(const ClockPair& pair);
  bool AddRun(const RunChange& change, OnStored on_stored = nullptr);
  bool AddEvent(const Event& event, OnStored on_stored = nullptr);
  bool AddSummaries(std::span<const Block> blocks);

  // Counts a record that was given up before it was made.
  void Refuse() { outbox_.Refuse(); }
  std::uint64_t refused() const { return outbox_.refused(); }

 private:
  Outbox& outbox_;
  DictionaryHash hash_{};
};

}  // namespace tacho
