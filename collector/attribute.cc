// An attribute of sysfs that holds one whole number.
#include "collector/attribute.h"

#include <array>

#include "collector/parse/numbers.h"

namespace tacho {

AttributeReading ParseAttribute(std::string_view text) {
  TakeEnd(text, "\n");
  const auto value = WholeNumber(text);
  return value ? AttributeReading{.value = *value} : AttributeReading{.why = Why::kUnparsable};
}

std::optional<Attribute> Attribute::Open(const std::filesystem::path& path) {
  auto file = KernelFile::Open(path);
  if (!file) return std::nullopt;
  return Attribute(*std::move(file));
}

AttributeReading Attribute::Read() const {
  std::array<char, 32> buffer;
  const FileText text = file_.Read(buffer);
  return text.why == Why::kPresent ? ParseAttribute(text.text) : AttributeReading{.why = text.why};
}

}  // namespace tacho
