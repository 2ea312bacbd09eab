// Any text is refused as TOML, or gives tables that a reader can go through.
#include <cstdint>
#include <cstdlib>

#include "common/toml.h"

using namespace std::chrono_literals;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto table = tacho::ParseToml(text, "fuzz.toml");
  if (!table.ok()) {
    if (!table.error()->message().starts_with("fuzz.toml:")) std::abort();
    return 0;
  }
  tacho::TomlComplaints complaints;
  tacho::TomlReader reader(*table, "fuzz.toml", complaints);
  std::string name;
  std::int64_t count = 5;
  tacho::Nanos period = 1s;
  reader.Text("name", name);
  reader.Int("count", count, 0, 10);
  reader.ByteSize("size", count, 0, 10);
  reader.Duration("period", period, 1ms, 1h);
  for (tacho::TomlReader& budget : reader.Tables("budget")) {
    budget.Text("name", name);
    budget.Finish();
  }
  reader.Finish();
  if (count < 0 || count > 10 || period < 1ms || period > 1h) std::abort();
  return 0;
}
