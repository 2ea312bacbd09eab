// What happened, in words, told by any thread and awaited by the test.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace tacho {

class Transcript {
 public:
  void Say(std::string line) {
    const std::lock_guard lock(mutex_);
    lines_.push_back(std::move(line));
    changed_.notify_all();
  }
  // Whether a line beginning with `start` has come `times` times, waiting for it as long as a slow
  // machine may need.
  bool Await(const std::string& start, std::ptrdiff_t times = 1) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(60), [&] {
      return std::count_if(lines_.begin(), lines_.end(), [&](const std::string& line) {
               return line.starts_with(start);
             }) >= times;
    });
  }
  std::vector<std::string> lines() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> lines_;
};

}  // namespace tacho
