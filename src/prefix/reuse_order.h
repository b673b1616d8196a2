#pragma once
// How recently each block was used, in blocks.

#include <cstdint>
#include <vector>

namespace loadline {

/// The order of last use of the blocks 0 .. blocks - 1.
class ReuseOrder {
 public:
  /// `uses`: how often use() will be called.
  ReuseOrder(std::uint32_t blocks, std::uint64_t uses);

  /// The rank of `block` in the order of last use: 1 for the block used last; 0 for one never used. A cache that
  /// forgets the least recently used holds the block exactly when rank is not 0 and at most its capacity.
  std::uint64_t rank(std::uint32_t block) const;
  void use(std::uint32_t block);

 private:
  void add(std::uint64_t at, std::int32_t change);

  std::vector<std::uint64_t> last_use_;  ///< by block, from 1; 0: never
  std::vector<std::int32_t> tree_;       ///< over uses: 1 where it is the last of its block
  std::uint64_t uses_ = 0;
  std::uint64_t used_blocks_ = 0;
};

}  // namespace loadline
