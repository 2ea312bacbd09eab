// Three fields, fixed; a later version appends.
#include "daemon/spool/boot_record.h"

#include "common/bytes.h"

namespace tacho {

std::vector<std::byte> Encode(const BootRecord& record) {
  Bytes out;
  ByteWriter writer(out);
  writer.Raw(std::as_bytes(std::span(record.boot.bytes)));
  writer.U64(record.counter);
  writer.U8(static_cast<std::uint8_t>(record.state));
  return out;
}

Result<BootRecord> DecodeBootRecord(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  BootRecord record;
  for (std::uint8_t& byte : record.boot.bytes) {
    byte = reader.U8();
  }
  record.counter = reader.U64();
  const std::uint8_t state = reader.U8();
  if (!reader.ok() || state < 1 || state > 3) {
    return Status(Code::kCorrupt, "boot record: it is cut short or its state is none");
  }
  record.state = static_cast<RecorderState>(state);
  return record;
}

}  // namespace tacho
