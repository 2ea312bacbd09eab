// What is said in the journal of spool files that cannot be used as they are: which, where, and
// what becomes of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "daemon/spool/frame_walker.h"
#include "daemon/spool/segment_format.h"

namespace tacho {

// A segment by its header and the size of its file; nullopt where both are as they should be.
std::optional<std::string> ComplaintOf(const std::filesystem::path& segment, HeaderState state,
                                       const SegmentHeader& header, std::int64_t bytes);
// A place in a segment.
std::string SentenceOf(const std::filesystem::path& segment, const FrameDamage& damage);

}  // namespace tacho
