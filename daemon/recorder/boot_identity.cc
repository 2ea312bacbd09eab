// Reads the kernel's boot_id, or makes one up for a board that has none.
#include "daemon/recorder/boot_identity.h"

#include <fstream>
#include <string>

namespace tacho {

BootId BootIdOf(std::string_view text, std::uint64_t high, std::uint64_t low) {
  if (const auto boot = BootId::Parse(text)) return *boot;
  BootId random;
  for (std::size_t i = 0; i < 8; ++i) {
    random.bytes[i] = static_cast<std::uint8_t>(high >> (8 * i));
    random.bytes[8 + i] = static_cast<std::uint8_t>(low >> (8 * i));
  }
  return random;
}

BootId ReadBootId(const std::filesystem::path& system_root, std::uint64_t high, std::uint64_t low) {
  std::ifstream file(system_root / "proc/sys/kernel/random/boot_id");
  std::string line;
  std::getline(file, line);
  return BootIdOf(line, high, low);
}

}  // namespace tacho
