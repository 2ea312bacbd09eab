// The page not read last is overwritten, so that one of the two is always whole.
#include "daemon/spool/page_pair.h"

#include <algorithm>
#include <utility>
#include <xxhash.h>

#include "common/bytes.h"

namespace tacho {

std::vector<std::byte> EncodePage(std::uint64_t magic, std::uint64_t generation,
                                  std::span<const std::byte> value) {
  Bytes out;
  ByteWriter writer(out);
  writer.U64(magic);
  writer.U64(generation);
  writer.U64(value.size());
  writer.Raw(value);
  out.resize(kPageBytes - 8);
  writer.U64(XXH3_64bits(out.data(), out.size()));
  return out;
}

std::optional<Page> DecodePage(std::uint64_t magic, std::span<const std::byte> bytes) {
  if (bytes.size() != kPageBytes) return std::nullopt;
  ByteReader reader(bytes);
  const std::uint64_t found_magic = reader.U64();
  const std::uint64_t generation = reader.U64();
  const std::uint64_t size = reader.U64();
  ByteReader check(bytes.last(8));
  if (found_magic != magic || size > kMaxPageValue ||
      check.U64() != XXH3_64bits(bytes.data(), kPageBytes - 8)) {
    return std::nullopt;
  }
  const auto value = reader.Raw(static_cast<std::size_t>(size));
  return Page{generation, {value.begin(), value.end()}};
}

PagePair::PagePair(std::filesystem::path path, std::uint64_t magic, Disk& disk)
    : path_(std::move(path)), magic_(magic), disk_(disk) {}

Status PagePair::LoadFrom(const File& file, std::optional<std::vector<std::byte>>& value) {
  std::vector<std::byte> bytes(2 * kPageBytes);
  auto read = file.Read(0, bytes);
  if (!read.ok()) return std::move(read).status();
  bytes.resize(*read);
  std::uint64_t newest = 0;
  for (std::size_t at = 0; at + kPageBytes <= bytes.size(); at += kPageBytes) {
    auto page = DecodePage(magic_, std::span(bytes).subspan(at, kPageBytes));
    if (!page || (value && page->generation < newest)) continue;
    newest = page->generation;
    value = std::move(page->value);
  }
  generation_ = newest;
  const auto is_written = [](std::byte byte) { return byte != std::byte{}; };
  is_damaged_ = !value && std::any_of(bytes.begin(), bytes.end(), is_written);
  return {};
}

Result<std::optional<std::vector<std::byte>>> PagePair::Load() {
  std::optional<std::vector<std::byte>> value;
  // A file that was taken away is read on until another one is in its place.
  if (!file_ && (!reading_ || !reading_->IsInPlace())) {
    auto opened = disk_.Open(path_, Disk::Access::kRead);
    const bool is_absent = !opened.ok() && opened.error()->code() == Code::kNotFound;
    if (is_absent && !reading_) return value;
    if (!opened.ok() && !is_absent) return std::move(opened).status();
    if (opened.ok()) reading_ = *std::move(opened);
  }
  TACHO_TRY(LoadFrom(file_ ? *file_ : *reading_, value));
  return value;
}

Status PagePair::OpenToWrite(Disk::Access access) {
  if (file_) return {};
  auto opened = disk_.Open(path_, access);
  if (!opened.ok()) return std::move(opened).status();
  file_ = *std::move(opened);
  return {};
}

Status PagePair::Store(std::span<const std::byte> value) {
  // Even generations lie in the first page. A failed write may have spoilt the page it was meant
  // for, so the next one goes to the same page: the generation grows only when it is written.
  const std::uint64_t next = generation_ + 1;
  const std::vector<std::byte> page = EncodePage(magic_, next, value);
  TACHO_TRY(file_->Write(static_cast<std::int64_t>(kPageBytes * (next % 2)), page));
  generation_ = next;
  return {};
}

Status PagePair::Sync() {
  return file_->Sync();
}

}  // namespace tacho
