// A line seen as words between white space.
#pragma once

#include <cstddef>
#include <string_view>

namespace tacho {

// Walks over the words of a line without copying. A last word with nothing behind it, not even the
// newline, may be half a word: it is left out, and was_cut() says so.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {
    while (!rest_.empty() && !IsSpace(rest_.back())) {
      rest_.remove_suffix(1);
      was_cut_ = true;
    }
    Next();
  }

  // The word at hand; empty at the end.
  std::string_view word() const { return word_; }
  bool at_end() const { return word_.empty(); }
  bool was_cut() const { return was_cut_; }

  // The word behind the one at hand; empty if there is none.
  std::string_view Ahead() const {
    Words copy = *this;
    copy.Next();
    return copy.word_;
  }

  void Next() {
    while (!rest_.empty() && IsSpace(rest_.front())) {
      rest_.remove_prefix(1);
    }
    std::size_t size = 0;
    while (size < rest_.size() && !IsSpace(rest_[size])) {
      ++size;
    }
    word_ = rest_.substr(0, size);
    rest_.remove_prefix(size);
  }

 private:
  static bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

  std::string_view rest_;
  std::string_view word_;
  bool was_cut_ = false;
};

}  // namespace tacho
