#include "prefix/block_index.h"

#include <bit>

#include "core/error.h"

namespace loadline {

BlockIndex::BlockIndex(std::size_t expected) : slots_(std::bit_ceil(expected + expected / 2 + 16)) {}

BlockIndex::Found BlockIndex::number_of(std::uint64_t id, std::uint32_t behind) {
  for (std::size_t at = home(id);; at = (at + 1) & (slots_.size() - 1)) {
    Slot& slot = slots_[at];
    if (slot.number_from_one == 0) {
      check(size_ < 0xfffffffe, "a log has fewer than 2^32 distinct blocks");
      slot = {id, ++size_, behind};
      if (3 * std::size_t{size_} > 2 * slots_.size()) grow();
      return {size_ - 1, true, true};
    }
    if (slot.id == id) return {slot.number_from_one - 1, false, slot.behind == behind};
  }
}

void BlockIndex::grow() {
  Slots old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.number_from_one == 0) continue;
    std::size_t at = home(slot.id);
    while (slots_[at].number_from_one != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
}

}  // namespace loadline
