#include "workload/block_table.h"

#include <bit>
#include <utility>

namespace loadline {

BlockTable::BlockTable(std::size_t expected) : slots_(std::bit_ceil(2 * expected + 2)) {}

std::uint32_t& BlockTable::operator[](std::uint64_t id) {
  Slot* slot = &slot_of(id);
  if (slot->used) return slot->number;
  if (2 * (size_ + 1) > slots_.size()) {
    grow();
    slot = &slot_of(id);
  }
  ++size_;
  *slot = {id, 0, true};
  return slot->number;
}

void BlockTable::grow() {
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
  for (const Slot& slot : old) {
    if (slot.used) slot_of(slot.id) = slot;
  }
}

}  // namespace loadline
