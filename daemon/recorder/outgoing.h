// A record on its way from the loop thread to the spool.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "common/bytes.h"
#include "common/ids.h"
#include "common/record.h"

namespace tacho {

// What became of a record.
struct Stored {
  Status status;  // why it was not taken
  Seq seq{};
  bool is_in_ram = false;  // the disk refuses; it is kept in memory
};

// How soon the disk must have it.
enum class Urgency : std::uint8_t {
  kCalm,   // with the next sync
  kNow,    // at once
  kAlarm,  // at once, and for a minute what follows is synced each second
};

struct Outgoing {
  Tier tier{};
  RecordKind kind{};
  DictionaryHash dictionary{};
  Bytes payload;
  Urgency urgency = Urgency::kCalm;
  // Loop thread, once the record is taken or refused. May be empty.
  std::function<void(const Stored&)> on_stored = nullptr;
};

}  // namespace tacho
