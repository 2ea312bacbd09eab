// A real recorder process, killed at moments that nobody chose.
#include <algorithm>
#include <csignal>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

#include "common/bytes.h"
#include "daemon/spool/posix_disk.h"
#include "daemon/spool/spool_writer.h"
#include "tests/support/spool_world.h"
#include "tests/support/temp_folder.h"

namespace tacho {
namespace {

// What the child says once Append has returned.
struct Appended {
  std::uint64_t epoch = 0;
  std::uint64_t seq = 0;
  std::uint64_t number = 0;
  std::uint8_t tier = 0;
  std::uint8_t boot = 0;
};

std::uint64_t NumberOf(const Payload& payload) {
  return ByteReader(payload).U64();
}

Payload PayloadOf(std::uint64_t number) {
  Payload payload;
  ByteWriter(payload).U64(number);
  payload.resize(20 + number % 400, static_cast<std::byte>(number));
  return payload;
}

// Child. Appends as fast as it can until it is killed.
[[noreturn]] void RecordUntilKilled(const SpoolConfig& config, int told, std::uint8_t boot,
                                    std::uint64_t seed) {
  PosixDisk disk;
  std::mt19937_64 random(seed);
  auto writer = SpoolWriter::Open(
      config, disk, TestBoot(boot), [&] { return random(); }, Seconds(0));
  for (std::uint64_t number = seed << 32;; ++number) {
    const Tier tier = number % 7 == 0 ? Tier::kEvents : Tier::kSummaries;
    const auto kind = tier == Tier::kEvents ? RecordKind::kEvent : RecordKind::kSummary;
    const auto seq = writer->Append(tier, kind, {}, PayloadOf(number), Seconds(0));
    if (!seq.ok() || writer->is_ram_only()) _exit(1);
    if (number % 50 == 0 && !writer->Sync(Seconds(0)).ok()) _exit(1);
    const Appended appended{Number(writer->epoch()), Number(*seq), number,
                            static_cast<std::uint8_t>(tier), boot};
    if (write(told, &appended, sizeof appended) != sizeof appended) _exit(1);
  }
}

// Runs a recorder until it has told of `count` records, kills it, and returns all it told.
std::vector<Appended> RecordAndKill(const SpoolConfig& config, std::size_t count, std::uint8_t boot,
                                    std::uint64_t seed) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    RecordUntilKilled(config, ends[1], boot, seed);
  }
  close(ends[1]);
  std::vector<Appended> told;
  Appended next;
  while (read(ends[0], &next, sizeof next) == sizeof next) {
    told.push_back(next);
    if (told.size() == count) kill(child, SIGKILL);
  }
  close(ends[0]);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the recorder gave up by itself";
  return told;
}

TEST(SpoolKill, LosesNothingAndRepeatsNothing) {
  const TempFolder folder;
  SpoolConfig config;
  config.folder = folder.path() / "spool";
  config.segment_bytes = 16 << 10;
  config.max_bytes = 20 * config.segment_bytes;
  std::map<RecordKey, std::uint64_t> produced;
  std::mt19937 random(11);
  for (std::uint64_t round = 1; round <= 10; ++round) {
    const auto boot = static_cast<std::uint8_t>(1 + round / 4);
    for (const Appended& one : RecordAndKill(config, 1 + random() % 3000, boot, round)) {
      const StreamKey stream{TestBoot(one.boot), Epoch{one.epoch}, static_cast<Tier>(one.tier)};
      const auto [it, is_new] = produced.emplace(RecordKey{stream, Seq{one.seq}}, one.number);
      ASSERT_TRUE(is_new) << "a seq was given twice";
    }
    PosixDisk disk;
    SpoolReader reader(config.folder, disk);
    const Found found = ReadAll(reader, 64 << 10);
    for (const auto& [key, number] : produced) {
      const auto record = found.records.find(key);
      if (record == found.records.end()) {
        ASSERT_TRUE(found.IsGap(key)) << "round " << round << " seq " << Number(key.second);
      } else {
        ASSERT_EQ(NumberOf(record->second.payload), number);
      }
    }
    SpoolWorld::ExpectNoHoles(found);
  }
}

}  // namespace
}  // namespace tacho
