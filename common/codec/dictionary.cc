// Dictionaries as bytes, and their hash (docs/formats/records.md, "dictionary").
#include "common/dictionary.h"

#include <xxhash.h>

#include "common/bytes.h"

namespace tacho {
namespace {

constexpr std::uint8_t kVersion = 1;
constexpr int kMostDecimals = 18;  // 10^18 is the last power of ten in 64 bits
constexpr std::uint64_t kMostGroupId = 0xFFFF;

// Decodes one dictionary; the first mistake is kept, and what follows it reads as zero.
class Decoder {
 public:
  Decoder(std::span<const std::byte> bytes, const DictionaryLimits& limits)
      : reader_(bytes), limits_(limits) {}

  Result<Dictionary> Decode() {
    if (reader_.U8() != kVersion) Refuse("unknown version");
    Dictionary all;
    ReadGroups(all);
    ReadChannels(all);
    ReadSetup(all);
    if (reader_.ok() && reader_.left() > 0) Refuse("bytes after the end");
    if (!reader_.ok()) Refuse("it is cut short or a text is too long");
    if (!status_.ok()) return std::move(status_);
    return all;
  }

 private:
  void Refuse(const std::string& what, Code code = Code::kCorrupt) {
    if (!status_.ok()) return;
    status_ = Status(code, "dictionary: " + what + " at byte " + std::to_string(reader_.offset()));
  }
  bool is_going() const { return status_.ok() && reader_.ok(); }

  std::uint64_t Count(std::size_t limit, const std::string& what) {
    const std::uint64_t count = reader_.Varint();
    if (count > limit) Refuse("more " + what + " than " + std::to_string(limit), Code::kExhausted);
    return count;
  }

  void ReadGroups(Dictionary& all) {
    const std::uint64_t count = Count(limits_.groups, "groups");
    for (std::uint64_t i = 0; i < count && is_going(); ++i) {
      GroupDef group;
      const std::uint64_t id = reader_.Varint();
      if (id > kMostGroupId) Refuse("a group id above 65535");
      group.id = GroupId{static_cast<std::uint16_t>(id)};
      group.name = reader_.Text(limits_.text);
      group.period = Nanos(reader_.Signed());
      all.groups.push_back(std::move(group));
    }
  }

  void ReadChannels(Dictionary& all) {
    const std::uint64_t count = Count(limits_.channels, "channels");
    for (std::uint64_t i = 0; i < count && is_going(); ++i) {
      ChannelDef channel;
      channel.id = ChannelId{static_cast<std::uint32_t>(i)};
      const std::uint64_t group = reader_.Varint();
      if (group > kMostGroupId) Refuse("a group id above 65535");
      channel.group = GroupId{static_cast<std::uint16_t>(group)};
      channel.metric = reader_.Text(limits_.text);
      channel.instance = reader_.Text(limits_.text);
      channel.unit = static_cast<Unit>(reader_.U8());
      if (channel.unit > Unit::kJoules) Refuse("unknown unit");
      const std::int64_t decimals = reader_.Signed();
      if (decimals < -kMostDecimals || decimals > kMostDecimals) Refuse("decimals out of range");
      channel.decimals = static_cast<int>(decimals);
      channel.shape = static_cast<Shape>(reader_.U8());
      if (channel.shape > Shape::kCounter) Refuse("unknown shape");
      channel.help = reader_.Text(limits_.text);
      all.channels.push_back(std::move(channel));
    }
  }

  void ReadSetup(Dictionary& all) {
    const std::uint64_t count = Count(limits_.setup, "setup entries");
    for (std::uint64_t i = 0; i < count && is_going(); ++i) {
      std::string key = reader_.Text(limits_.text);
      std::string value = reader_.Text(limits_.text);
      if (!all.setup.empty() && key <= all.setup.back().first) Refuse("setup is not sorted");
      all.setup.emplace_back(std::move(key), std::move(value));
    }
  }

  ByteReader reader_;
  const DictionaryLimits& limits_;
  Status status_;
};

}  // namespace

std::vector<std::byte> Encode(const Dictionary& dictionary) {
  Bytes out;
  ByteWriter writer(out);
  writer.U8(kVersion);
  writer.Varint(dictionary.groups.size());
  for (const GroupDef& group : dictionary.groups) {
    writer.Varint(Number(group.id));
    writer.Text(group.name);
    writer.Signed(group.period.count());
  }
  writer.Varint(dictionary.channels.size());
  for (const ChannelDef& channel : dictionary.channels) {
    writer.Varint(Number(channel.group));
    writer.Text(channel.metric);
    writer.Text(channel.instance);
    writer.U8(static_cast<std::uint8_t>(channel.unit));
    writer.Signed(channel.decimals);
    writer.U8(static_cast<std::uint8_t>(channel.shape));
    writer.Text(channel.help);
  }
  writer.Varint(dictionary.setup.size());
  for (const auto& [key, value] : dictionary.setup) {
    writer.Text(key);
    writer.Text(value);
  }
  return out;
}

Result<Dictionary> DecodeDictionary(std::span<const std::byte> bytes,
                                    const DictionaryLimits& limits) {
  return Decoder(bytes, limits).Decode();
}

DictionaryHash HashOf(std::span<const std::byte> encoded) {
  return DictionaryHash{XXH3_64bits(encoded.data(), encoded.size())};
}

}  // namespace tacho
