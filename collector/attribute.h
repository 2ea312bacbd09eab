// An attribute of sysfs that holds one whole number.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

#include "collector/kernel_file.h"
#include "collector/source.h"

namespace tacho {

// A number, or the reason why there is none.
struct AttributeReading {
  std::int64_t value = 0;
  Why why = Why::kPresent;
  bool is_present() const { return why == Why::kPresent; }
};

// "48250\n" -> 48250. Anything else is kUnparsable.
AttributeReading ParseAttribute(std::string_view text);

class Attribute {
 public:
  // nullopt if there is no such file.
  static std::optional<Attribute> Open(const std::filesystem::path& path);

  // One read, no retry.
  AttributeReading Read() const;
  // Opens `path` again, after its device came back.
  void Reopen(const char* path) { file_.Reopen(path); }

 private:
  explicit Attribute(KernelFile file) : file_(std::move(file)) {}

  KernelFile file_;
};

// Tells `sink` the value, or why there is none.
inline void Deliver(ChannelId channel, AttributeReading reading, Sink& sink) {
  reading.is_present() ? sink.Put(channel, reading.value) : sink.Absent(channel, reading.why);
}

}  // namespace tacho
