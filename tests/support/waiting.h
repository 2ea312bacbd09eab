// Waits in a test for what another thread does.
#pragma once

#include <chrono>
#include <thread>

namespace tacho {

// True as soon as `is_done` is; false after a time that only a broken program takes.
template <class IsDone>
bool WaitFor(IsDone is_done, std::chrono::seconds limit = std::chrono::seconds(30)) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (!is_done()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace tacho
