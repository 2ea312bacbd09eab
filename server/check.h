// What a record must be before it may be stored. Pure, but for the dictionaries it looks up.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include "common/codec/block.h"
#include "common/dictionary.h"
#include "common/record.h"
#include "common/status.h"
#include "server/store/rows.h"

namespace tacho {

struct CheckLimits {
  std::size_t record_bytes = 1 << 20;
  DictionaryLimits dictionary;
  BlockLimits blocks{.blocks = 256,
                     .rows = 16384,
                     .columns = 8192,
                     .cells = 1u << 20,
                     .unpacked_bytes = 16u << 20};
};

using FindDictionary = std::function<std::shared_ptr<const Dictionary>(DictionaryHash)>;

// Decodes a record within the limits and says what it means. kInvalid or kCorrupt with the reason;
// kNotFound "dictionary unknown" where its numbers have no meaning yet; kExhausted past a limit.
Result<Meaning> CheckRecord(const Record& record, const CheckLimits& limits,
                            const FindDictionary& find);

// Whether it can be a time since boot: not negative, within a hundred years.
bool IsUptime(BootTime at);

}  // namespace tacho
