// A link that the test plays the server of.
#pragma once

#include <string>
#include <vector>

#include "rpc/link.h"

namespace tacho {

// Events happen when the test says so, inside the test's call.
class FakeLink final : public Link {
 public:
  void Open(const Hello& hello, LinkEvents& events) override {
    hellos.push_back(hello);
    events_ = &events;
    is_open_ = true;
    is_welcome_ = false;
  }
  bool Send(const Record& record) override {
    if (!is_welcome_ || room == 0) return false;
    --room;
    sent.push_back(record);
    return true;
  }
  void Close(std::string_view reason) override { goodbyes.emplace_back(reason); }
  std::uint64_t bytes_on_wire() const override { return 0; }

  bool is_open() const { return is_open_; }
  void Welcome(std::vector<Committed> committed = {}) {
    is_welcome_ = true;
    events_->OnWelcome({kProtocolNewest, WallTimeOf(0), std::move(committed)});
  }
  void WelcomeWith(std::uint32_t protocol) {
    is_welcome_ = true;
    events_->OnWelcome({protocol, WallTimeOf(0), {}});
  }
  void Ack(const Record& record) {
    Committed committed{record.stream, {}};
    committed.ranges.Add(record.seqs);
    events_->OnAck(committed);
  }
  // Acknowledges what was sent since the last time, also what the acks bring about.
  void AckAll() {
    while (acked_ < sent.size()) {
      Ack(Record(sent[acked_++]));
    }
  }
  void Refuse(const Record& record, const Status& why, const SeqRanges& committed = {}) {
    events_->OnRefused(record.stream, record.seqs, why, {record.stream, committed});
  }
  void Throttle(Nanos pause) { events_->OnThrottle(pause); }
  void Lose(const Status& why) {
    is_open_ = false;
    is_welcome_ = false;
    acked_ = sent.size();
    events_->OnClosed(why);
  }

  std::vector<Hello> hellos;
  std::vector<Record> sent;
  std::vector<std::string> goodbyes;
  std::size_t room = 1u << 20;  // records that Send still takes

 private:
  LinkEvents* events_ = nullptr;
  bool is_open_ = false;
  bool is_welcome_ = false;
  std::size_t acked_ = 0;
};

}  // namespace tacho
