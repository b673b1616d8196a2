#pragma once
// How often each block id has come: a flat hash table with linear probing, since a log has millions of ids.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/random.h"

namespace loadline {

class BlockCounts {
 public:
  /// Room for `expected` different ids without growing.
  explicit BlockCounts(std::size_t expected = 0);

  std::uint32_t of(std::uint64_t id) { return slot_of(id).count; }
  /// Counts `id` once more; its count before.
  std::uint32_t add(std::uint64_t id);

 private:
  struct Slot {
    std::uint64_t id = 0;
    std::uint32_t count = 0;  ///< 0: free
  };
  Slot& slot_of(std::uint64_t id) {
    std::size_t place = mix(id) & (slots_.size() - 1);
    while (slots_[place].count != 0 && slots_[place].id != id) place = (place + 1) & (slots_.size() - 1);
    return slots_[place];
  }
  void grow();

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace loadline
