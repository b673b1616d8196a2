#pragma once
// A number for each block id: a flat hash table with linear probing, since a log has millions of ids.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/random.h"

namespace loadline {

class BlockTable {
 public:
  /// Room for `expected` different ids without growing.
  explicit BlockTable(std::size_t expected = 0);

  /// The number of `id`, 0 where it is new. Valid until the next call.
  std::uint32_t& operator[](std::uint64_t id);

 private:
  struct Slot {
    std::uint64_t id = 0;
    std::uint32_t number = 0;
    bool used = false;
  };
  Slot& slot_of(std::uint64_t id) {
    std::size_t place = mix(id) & (slots_.size() - 1);
    while (slots_[place].used && slots_[place].id != id) place = (place + 1) & (slots_.size() - 1);
    return slots_[place];
  }
  void grow();

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace loadline
