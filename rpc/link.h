// A stream to the fleet server, without a gRPC word: what the uplink sees of the network.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/ids.h"
#include "common/record.h"
#include "common/seq_ranges.h"
#include "common/status.h"
#include "common/time.h"

namespace tacho {

inline constexpr std::uint32_t kProtocolOldest = 1;
inline constexpr std::uint32_t kProtocolNewest = 1;
// Of one record on the wire; what is larger is refused.
inline constexpr std::size_t kMaxPayloadBytes = 1u << 20;
inline constexpr std::uint64_t kMaxRecordSeqs = 65536;
// Of committed seqs in one message.
inline constexpr std::size_t kMaxRanges = 64;

// What a robot says first.
struct Hello {
  std::string robot;  // must be the certificate's name where there is one
  BootId boot;
  std::uint64_t boot_counter = 0;
  std::string agent;  // "tacho-uplink 0.1.0"
  std::uint32_t protocol_oldest = kProtocolOldest;
  std::uint32_t protocol_newest = kProtocolNewest;
  ClockPair clock;
  std::vector<StreamKey>
      streams;  // that the spool holds: the server answers with their committed ranges; at most 256
};

// Committed seqs of one stream. At most 64 ranges, oldest first; through() of them is always right.
struct Committed {
  StreamKey stream;
  SeqRanges ranges;
};

// What the server answers to Hello.
struct Welcome {
  std::uint32_t protocol = kProtocolNewest;
  WallTime server_time;
  std::vector<Committed> committed;
};

// What arrives from the server. Every call comes on the loop thread.
class LinkEvents {
 public:
  virtual ~LinkEvents() = default;
  virtual void OnWelcome(const Welcome& welcome) = 0;
  // The server has these on disk.
  virtual void OnAck(const Committed& committed) = 0;
  // Send nothing for this long.
  virtual void OnThrottle(Nanos pause) = 0;
  // A record was refused (overlap, corrupt, too large); the stream goes on. `committed` is the
  // truth to repack by.
  virtual void OnRefused(const StreamKey& stream, SeqRange seqs, const Status& why,
                         const Committed& committed) = 0;
  // The last event of a connection: kDenied and kInvalid mean that trying again soon is pointless.
  virtual void OnClosed(const Status& why) = 0;
};

// One connection at a time. Loop thread only.
class Link {
 public:
  virtual ~Link() = default;
  // Connects and says `hello`. Events come later, never inside this call. Requires: closed.
  virtual void Open(const Hello& hello, LinkEvents& events) = 0;
  // False: not welcomed yet, or the bytes in flight are at their limit; ask again after the next
  // ack.
  virtual bool Send(const Record& record) = 0;
  // Says goodbye, if open, and closes; OnClosed follows.
  virtual void Close(std::string_view reason) = 0;
  // TCP payload both ways, TLS and acks included, over all connections (from TCP_INFO where it can
  // be had).
  virtual std::uint64_t bytes_on_wire() const = 0;
};

}  // namespace tacho
