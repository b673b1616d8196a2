#pragma once
// Block ids as small numbers: the n-th new id is n. A flat hash table with linear probing, since a log has millions of
// ids and this is most of the work on them.

#include <cstdint>
#include <vector>

#include "core/large_pages.h"

namespace loadline {

class BlockIndex {
 public:
  /// Room for `expected` ids without growing.
  explicit BlockIndex(std::size_t expected = 0);

  struct Found {
    std::uint32_t number;
    bool is_new;
    bool same_place;  ///< `behind` is what it was when the id was new
  };
  /// The number of `id`; a new one for a new id. `behind`: what stood before it, in any coding; kept of a new id.
  Found number_of(std::uint64_t id, std::uint32_t behind = 0);
  /// Fetches the place of `id` from memory, for a number_of that comes soon.
  void prefetch(std::uint64_t id) const { __builtin_prefetch(&slots_[home(id)]); }
  std::uint32_t size() const { return size_; }
  /// visit(id, number, behind), in no particular order.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Slot& slot : slots_) {
      if (slot.number_from_one > 0) visit(slot.id, slot.number_from_one - 1, slot.behind);
    }
  }

  /// Ids are often consecutive or, from text, already hashes: the finaliser of SplitMix64 spreads both, the same in
  /// every process and on every machine.
  static std::uint64_t spread(std::uint64_t id) {
    id = (id ^ (id >> 30)) * 0xbf58476d1ce4e5b9ULL;
    id = (id ^ (id >> 27)) * 0x94d049bb133111ebULL;
    return id ^ (id >> 31);
  }

 private:
  struct Slot {
    std::uint64_t id = 0;
    std::uint32_t number_from_one = 0;  ///< 0: free
    std::uint32_t behind = 0;
  };
  std::size_t home(std::uint64_t id) const { return static_cast<std::size_t>(spread(id)) & (slots_.size() - 1); }
  void grow();

  using Slots = std::vector<Slot, LargePageAllocator<Slot>>;
  Slots slots_;  ///< at most two of three taken
  std::uint32_t size_ = 0;
};

}  // namespace loadline
