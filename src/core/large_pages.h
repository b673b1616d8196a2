#pragma once
// Memory for tables that are read at random: in large pages where the system gives them on request, so that looking a
// place up costs one miss and not two. A hint: without it all works the same, slower.

#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace loadline {

template <class T>
struct LargePageAllocator {
  using value_type = T;
  static constexpr std::size_t page_bytes = std::size_t{1} << 21;

  LargePageAllocator() = default;
  template <class U>
  explicit LargePageAllocator(const LargePageAllocator<U>&) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < page_bytes) return static_cast<T*>(::operator new(bytes));
    void* const memory = ::operator new(bytes, std::align_val_t(page_bytes));
    (void)::madvise(memory, bytes / page_bytes * page_bytes, MADV_HUGEPAGE);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    if (count * sizeof(T) < page_bytes) {
      ::operator delete(memory);
    } else {
      ::operator delete(memory, std::align_val_t(page_bytes));
    }
  }
  friend bool operator==(const LargePageAllocator&, const LargePageAllocator&) { return true; }
};

}  // namespace loadline
