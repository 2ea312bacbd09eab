// Turns records of the spool into one record for the wire. Pure.
#pragma once

#include <cstddef>
#include <span>

#include "common/record.h"

namespace tacho {

// A batch, and how many of the records went into it.
struct Packed {
  Record record;
  std::size_t used = 0;
};

// Consecutive summaries of one stream and dictionary from the front of `records` become one, their
// rows appended and compressed together. Anything else goes as it is, one by one; so does a summary
// that cannot be read, for the server to say what becomes of it.
// Requires: records is not empty; each holds one seq; of one stream, in order.
Packed Pack(std::span<const Record> records, std::size_t most_records);

}  // namespace tacho
