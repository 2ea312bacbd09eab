// The whole payload through zstd, without the bytes that say nothing (docs/formats/codec.md).
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "common/bytes.h"
#include "common/status.h"

namespace tacho {

// Measured on 60 channels (docs/adr/0003-the-codec-counts-bytes.md).
inline constexpr int kZstdLevel = 4;

// nullopt if zstd cannot make it smaller.
std::optional<Bytes> Pack(std::span<const std::byte> body, int level = kZstdLevel);

// Fails with kCorrupt, or with kExhausted where the frame says that it holds more than `limit`
// bytes; allocates no more than that.
Result<Bytes> Unpack(std::span<const std::byte> packed, std::size_t limit);

}  // namespace tacho
