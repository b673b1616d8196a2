#include "workload/block_counts.h"

#include <bit>
#include <utility>

namespace loadline {

BlockCounts::BlockCounts(std::size_t expected) : slots_(std::bit_ceil(2 * expected + 2)) {}

std::uint32_t BlockCounts::add(std::uint64_t id) {
  Slot& slot = slot_of(id);
  slot.id = id;
  const std::uint32_t before = slot.count++;
  if (before == 0 && 2 * ++size_ >= slots_.size()) grow();
  return before;
}

void BlockCounts::grow() {
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
  for (const Slot& slot : old) {
    if (slot.count != 0) slot_of(slot.id) = slot;
  }
}

}  // namespace loadline
