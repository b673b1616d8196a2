#include "prefix/block_index.h"

#include <bit>

#include "core/error.h"

namespace loadline {

BlockIndex::BlockIndex(std::size_t expected) : slots_(std::bit_ceil(2 * expected + 16)) {}

std::size_t BlockIndex::home(std::uint64_t id) const {
  // Ids are often consecutive or, from text, already hashes: the finaliser of SplitMix64 spreads both.
  id = (id ^ (id >> 30)) * 0xbf58476d1ce4e5b9ULL;
  id = (id ^ (id >> 27)) * 0x94d049bb133111ebULL;
  return static_cast<std::size_t>(id ^ (id >> 31)) & (slots_.size() - 1);
}

BlockIndex::Found BlockIndex::number_of(std::uint64_t id) {
  for (std::size_t at = home(id);; at = (at + 1) & (slots_.size() - 1)) {
    Slot& slot = slots_[at];
    if (slot.number_from_one == 0) {
      check(size_ < 0xfffffffe, "a log has fewer than 2^32 distinct blocks");
      slot = {id, ++size_};
      if (2 * std::size_t{size_} > slots_.size()) grow();
      return {size_ - 1, true};
    }
    if (slot.id == id) return {slot.number_from_one - 1, false};
  }
}

void BlockIndex::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.number_from_one == 0) continue;
    std::size_t at = home(slot.id);
    while (slots_[at].number_from_one != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
}

}  // namespace loadline
