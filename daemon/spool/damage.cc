// Words for damage, the same for everybody who meets it.
#include "daemon/spool/damage.h"

#include <fmt/format.h>

namespace tacho {

std::optional<std::string> ComplaintOf(const std::filesystem::path& segment, HeaderState state,
                                       const SegmentHeader& header, std::int64_t bytes) {
  const std::string path = segment.string();
  if (state == HeaderState::kDamaged) {
    return path + ": its header at byte 0 is damaged; it is passed over";
  }
  if (state == HeaderState::kUnknown) {
    return path + ": its header at byte 0 is of another version; it is passed over";
  }
  if (state == HeaderState::kFree || bytes >= header.segment_bytes) return std::nullopt;
  return fmt::format("{}: it is cut short at byte {} of {}; what lay behind is lost", path, bytes,
                     header.segment_bytes);
}

std::string SentenceOf(const std::filesystem::path& segment, const FrameDamage& damage) {
  return fmt::format("{}: {} bytes at {} are damaged; {} records after seq {} are lost",
                     segment.string(), damage.size, damage.offset, damage.missing.count,
                     Number(damage.missing.first) - 1);
}

}  // namespace tacho
