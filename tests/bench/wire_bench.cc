// Prints what a value costs on the wire: batches of 30 ticks x 60 channels over mutual TLS, one at
// a time, each awaited, so that TLS records, HTTP/2 frames and acks are all paid.
#include <cstdio>
#include <string>

#include "common/codec/block.h"
#include "tests/support/block_maker.h"
#include "tests/support/test_certificates.h"
#include "tests/unit/rpc/rpc_harness.h"

namespace tacho {
namespace {

constexpr std::uint64_t kSeed = 20260102;
constexpr std::uint64_t kTicks = 30;
constexpr std::uint64_t kBatches = 120;  // one hour at 1 Hz

int Main() {
  TestCertificates certificates;
  SmallIngest ingest;
  SmallFleet fleet;
  auto server = Listen({"127.0.0.1:0", certificates.Server()}, ingest, fleet);
  if (!server.ok()) return 1;
  SmallRobot robot({"127.0.0.1:" + std::to_string((*server)->port()), certificates.Client("rb12")});
  robot.Open(HelloOf("rb12"));
  if (!robot.transcript.Await("welcome")) return 1;

  RobotMaker maker(kSeed);
  const std::uint64_t before = robot.bytes_on_wire();
  double values = 0;
  double payload = 0;
  for (std::uint64_t i = 0; i < kBatches; ++i) {
    const std::vector<Block> batch = {maker.Make(kTicks)};
    Record record = RecordOf(1 + i * kTicks, kTicks, 0);
    record.payload = EncodeBlocks(batch, Packing::kZstd);
    record.dictionary = DictionaryHash{0x1234567890abcdef};
    values += static_cast<double>(batch[0].rows() * batch[0].columns.size());
    payload += static_cast<double>(record.payload.size());
    if (!robot.Send(record)) return 1;
    if (!robot.transcript.Await("ack " + std::to_string((i + 1) * kTicks))) return 1;
  }
  const auto wire = static_cast<double>(robot.bytes_on_wire() - before);
  std::printf("path.wire_bytes_per_value\t%.3f\tB\n", wire / values);
  std::printf("path.wire_overhead_per_value\t%.3f\tB\n", (wire - payload) / values);
  robot.Close("done");
  return 0;
}

}  // namespace
}  // namespace tacho

int main() {
  return tacho::Main();
}
