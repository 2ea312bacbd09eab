// Reads a spool, live or dead, from any process: what streams there are and what is in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/ids.h"
#include "common/record.h"
#include "common/status.h"
#include "daemon/spool/disk.h"
#include "daemon/spool/reader_segment.h"
#include "daemon/spool/spool.h"

namespace tacho {

// Never writes. Its memory grows with the number of segments, not with what is in them. One thread.
class SpoolReader {
 public:
  SpoolReader(std::filesystem::path folder, Disk& disk);

  // Looks for new, recycled and vanished segments: one small read a segment. Before Streams and
  // Read, as often as news are wanted. Fails when the folder cannot be listed.
  Status Refresh();
  // In sending order: by tier, then the newest boot and epoch first. Only streams that hold
  // records; reads on to their ends.
  std::vector<SpooledStream> Streams();
  // Records of consecutive seqs above `after`, oldest first: about `max_bytes` of payload, and one
  // record at least if there is any. Cheap where the last call for that stream ended at `after`:
  // ask for no more than is used. The first one's seq tells of a hole: it is then above after + 1.
  // Empty: there is nothing more for now.
  std::vector<Record> Read(const StreamKey& stream, Seq after, std::size_t max_bytes,
                           std::size_t max_records = SIZE_MAX);
  // Sentences on what was found damaged, foreign or unreadable since the last call, each once.
  std::vector<std::string> TakeWarnings();

 private:
  using Segments = std::map<std::uint64_t, ReaderSegment>;  // by ordinal

  using StreamMap = std::map<StreamKey, Segments>;

  Status Look();
  // What `known` has of the same segment goes on.
  void LoadSegment(const std::string& name, const StreamMap& known);
  void SealOlder();
  void FollowEnd(ReaderSegment& segment);
  // False: reading can't go on behind this segment.
  bool ReadSegment(ReaderSegment& segment, ReadWindow& window, std::vector<Record>& records);
  void WarnOfDamage(ReaderSegment& segment);
  void Warn(const std::string& name, std::uint64_t what, std::string sentence);

  std::filesystem::path folder_;
  Disk& disk_;
  StreamMap streams_;
  // Segments up to here were all begun before the last look, so it cannot have missed one. Of those
  // begun while it looked it may have seen the second and not the first: a hole that isn't there.
  std::uint64_t complete_to_ = 0;
  std::uint64_t newest_seen_ = 0;
  std::set<std::pair<std::string, std::uint64_t>> warned_;
  std::vector<std::string> warnings_;
};

}  // namespace tacho
