#pragma once
// How recently each block was used, in blocks.

#include <cstdint>
#include <vector>

#include "core/large_pages.h"

namespace loadline {

/// The order of last use of the blocks 0 .. blocks - 1.
class ReuseOrder {
 public:
  /// `uses`: how often use() will be called, below 2^32.
  ReuseOrder(std::uint32_t blocks, std::uint64_t uses);

  /// The rank of `block` in the order of last use: 1 for the block used last; 0 for one never used. A cache that
  /// forgets the least recently used holds the block exactly when rank is not 0 and at most its capacity.
  std::uint64_t rank(std::uint32_t block) const;
  /// The number, from 1, of the block's last use; 0 for one never used. The lower, the higher the rank.
  std::uint32_t last_use(std::uint32_t block) const { return last_use_[block]; }
  void use(std::uint32_t block);
  /// Fetches what last_use and use will need from memory.
  void prefetch(std::uint32_t block) const { __builtin_prefetch(&last_use_[block], 1); }

 private:
  static constexpr std::uint32_t words_a_line = 8;
  static constexpr std::uint32_t marks_a_line = words_a_line * 64;
  std::uint64_t marks_before(std::uint32_t position) const;
  void add_to_line(std::uint32_t position, std::int32_t change);

  std::vector<std::uint32_t, LargePageAllocator<std::uint32_t>> last_use_;  ///< by block, from 1; 0: never
  std::vector<std::uint64_t> marks_;  ///< a bit for each use: whether it is the last of its block
  std::vector<std::int32_t> tree_;    ///< Fenwick tree of the marks in each line of eight words
  std::uint32_t uses_ = 0, announced_;
  std::uint64_t used_blocks_ = 0;
};

}  // namespace loadline
