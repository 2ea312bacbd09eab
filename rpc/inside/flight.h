// What was sent and not yet answered: the window of a link.
#pragma once

#include <cstddef>
#include <vector>

#include "common/record.h"
#include "rpc/link.h"

namespace tacho {

class Flight {
 public:
  void Add(const Record& record) {
    records_.push_back({record.stream, record.seqs, record.payload.size()});
    bytes_ += record.payload.size();
  }
  // Whatever of it lies wholly in these ranges has landed.
  void Land(const Committed& committed) {
    std::erase_if(records_, [&](const Sent& sent) {
      if (sent.stream != committed.stream || !committed.ranges.Contains(sent.seqs)) return false;
      bytes_ -= sent.bytes;
      return true;
    });
  }
  std::size_t bytes() const { return bytes_; }
  std::size_t records() const { return records_.size(); }

 private:
  struct Sent {
    StreamKey stream;
    SeqRange seqs;
    std::size_t bytes;
  };
  std::vector<Sent> records_;
  std::size_t bytes_ = 0;
};

}  // namespace tacho
