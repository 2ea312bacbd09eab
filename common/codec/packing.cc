// One zstd frame per payload, its magic number left out.
#include "common/codec/packing.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <zstd.h>

namespace tacho {
namespace {

constexpr std::array<std::byte, 4> kMagic = {std::byte{0x28}, std::byte{0xB5}, std::byte{0x2F},
                                             std::byte{0xFD}};

struct ContextDeleter {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

// 160 kB, kept for the thread's life: to make and clear one costs more than to unpack a batch.
ZSTD_DCtx* Unpacker() {
  thread_local const std::unique_ptr<ZSTD_DCtx, ContextDeleter> context(ZSTD_createDCtx());
  return context.get();
}

}  // namespace

std::optional<Bytes> Pack(std::span<const std::byte> body, int level) {
  Bytes frame(ZSTD_compressBound(body.size()));
  const std::size_t size =
      ZSTD_compress(frame.data(), frame.size(), body.data(), body.size(), level);
  if (ZSTD_isError(size) != 0 || size - kMagic.size() >= body.size()) return std::nullopt;
  frame.resize(size);
  frame.erase(frame.begin(), frame.begin() + kMagic.size());
  return frame;
}

Result<Bytes> Unpack(std::span<const std::byte> packed, std::size_t limit) {
  Bytes frame(kMagic.begin(), kMagic.end());
  frame.insert(frame.end(), packed.begin(), packed.end());
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR) {
    return Status(Code::kCorrupt, "block: no size in the zstd frame at byte 2");
  }
  if (size > limit) {
    return Status(Code::kExhausted, "block: it unpacks to " + std::to_string(size) +
                                        " bytes, more than " + std::to_string(limit));
  }
  if (ZSTD_findFrameCompressedSize(frame.data(), frame.size()) != frame.size()) {
    return Status(Code::kCorrupt, "block: the zstd frame at byte 2 does not end with the payload");
  }
  Bytes body(static_cast<std::size_t>(size));
  const std::size_t written =
      ZSTD_decompressDCtx(Unpacker(), body.data(), body.size(), frame.data(), frame.size());
  if (ZSTD_isError(written) != 0 || written != body.size()) {
    return Status(Code::kCorrupt, "block: the zstd frame at byte 2 is damaged");
  }
  return body;
}

}  // namespace tacho
