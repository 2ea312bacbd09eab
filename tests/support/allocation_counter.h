// Counts what a program takes from the heap. Include it in exactly one .cc of a test program: it
// replaces operator new there.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace tacho {

inline std::atomic<std::uint64_t> allocations{0};

// The allocations of all threads since it was made.
class AllocationCounter {
 public:
  std::uint64_t count() const { return allocations.load() - start_; }

 private:
  std::uint64_t start_ = allocations.load();
};

}  // namespace tacho

// Not inlined: g++ would see new's malloc but not delete's free, and warn of a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
  tacho::allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new[](std::size_t size) {
  return operator new(size);
}
// std::stable_sort's buffer comes from here.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  tacho::allocations.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}
