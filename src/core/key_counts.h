#pragma once
// How often each key occurs, for keys that are small numbers, pairs of lengths or hashes of names. Counts of two parts
// of a log add up to the counts of the log, whatever the cut.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/large_pages.h"

namespace loadline {

/// Two numbers below 2^32 as one key; keys sort as the pairs do.
constexpr std::uint64_t pair_key(std::uint64_t first, std::uint64_t second) { return first << 32 | second; }
constexpr std::uint64_t first_of(std::uint64_t pair) { return pair >> 32; }
constexpr std::uint64_t second_of(std::uint64_t pair) { return pair & 0xffffffff; }

/// A key for a name, so that names need not be kept: 64 bits, of which a hundred million names share one with
/// probability 1/4000.
std::uint64_t key_of_name(std::string_view name);

/// A flat hash table with linear probing: 16 bytes a slot, at most two of three slots taken.
class KeyCounts {
 public:
  struct Entry {
    std::uint64_t key = 0, count = 0;
    friend bool operator==(const Entry&, const Entry&) = default;
  };

  /// `times` may be 0: then nothing is counted.
  void add(std::uint64_t key, std::uint64_t times = 1);
  /// Each of `keys` once. Their places are fetched together, which hides most of the memory's latency.
  void add_each(std::span<const std::uint64_t> keys);
  void add_all(const KeyCounts& other);

  /// Distinct keys.
  std::size_t size() const { return size_; }
  /// In ascending order of keys.
  std::vector<Entry> sorted() const;
  /// visit(key, count), in no particular order.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Entry& slot : slots_) {
      if (slot.count > 0) visit(slot.key, slot.count);
    }
  }

 private:
  std::size_t home(std::uint64_t key) const;
  void grow();

  using Slots = std::vector<Entry, LargePageAllocator<Entry>>;
  Slots slots_ = Slots(16);  ///< a power of two of them; count 0: free
  std::size_t size_ = 0;
};

}  // namespace loadline
