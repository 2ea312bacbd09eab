// Cuts a stream of bytes into lines without allocating; a line that is too long is skipped and
// counted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tacho {

class LineSplitter {
 public:
  // The longest line known has about 700 bytes.
  static constexpr std::size_t kLongestLine = 4096;  // without its newline

  // Appends `bytes` and calls on_line(std::string_view) for each line that they end, newline
  // included.
  template <class OnLine>
  void Push(std::string_view bytes, OnLine&& on_line) {
    while (!bytes.empty()) {
      const std::size_t newline = bytes.find('\n');
      const bool is_ended = newline != std::string_view::npos;
      const std::string_view part = bytes.substr(0, is_ended ? newline + 1 : newline);
      bytes.remove_prefix(part.size());
      Keep(part, is_ended);
      if (is_ended) Finish(on_line);
    }
  }

  // The stream has ended: hands on what came without a newline.
  template <class OnLine>
  void End(OnLine&& on_line) {
    if (size_ > 0 || is_skipping_) Finish(on_line);
  }

  std::uint64_t too_long() const { return too_long_; }

 private:
  void Keep(std::string_view part, bool is_ended) {
    const std::size_t text = size_ + part.size() - (is_ended ? 1 : 0);
    if (is_skipping_ || text > kLongestLine) {
      // Counted when it is known: a line that never ends must not go untold.
      if (!is_skipping_) ++too_long_;
      is_skipping_ = true;
      size_ = 0;
      return;
    }
    std::memcpy(line_.data() + size_, part.data(), part.size());
    size_ += part.size();
  }

  template <class OnLine>
  void Finish(OnLine&& on_line) {
    if (!is_skipping_) on_line(std::string_view(line_.data(), size_));
    is_skipping_ = false;
    size_ = 0;
  }

  std::array<char, kLongestLine + 1> line_{};
  std::size_t size_ = 0;
  bool is_skipping_ = false;
  std::uint64_t too_long_ = 0;
};

}  // namespace tacho
