// Hands values from one thread to one other: fixed capacity, never waits, counts what it had to
// drop.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tacho {

// One writer thread calls TryPush, one reader thread calls TryPop. Nothing allocates after
// construction.
template <class T>
class SpscRing {
 public:
  // Holds at least `capacity` values.
  explicit SpscRing(std::size_t capacity)
      : slots_(std::bit_ceil(capacity)), mask_(slots_.size() - 1) {}

  // Writer. False, and counted, when the reader is too far behind: the new value is the one
  // dropped.
  bool TryPush(const T& value) {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head - cached_tail_ == slots_.size()) {
      cached_tail_ = tail_.load(std::memory_order_acquire);
      if (head - cached_tail_ == slots_.size()) {
        dropped_.fetch_add(1, std::memory_order_relaxed);
        return false;
      }
    }
    slots_[head & mask_] = value;
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

  // Reader.
  bool TryPop(T& value) {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail == cached_head_) {
      cached_head_ = head_.load(std::memory_order_acquire);
      if (tail == cached_head_) return false;
    }
    value = slots_[tail & mask_];
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }

  std::size_t capacity() const { return slots_.size(); }
  // Any thread.
  std::uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t kCacheLine = 64;
  std::vector<T> slots_;
  const std::size_t mask_;
  alignas(kCacheLine) std::atomic<std::size_t> head_{0};
  std::size_t cached_tail_ = 0;  // writer's
  std::atomic<std::uint64_t> dropped_{0};
  alignas(kCacheLine) std::atomic<std::size_t> tail_{0};
  std::size_t cached_head_ = 0;  // reader's
};

}  // namespace tacho
