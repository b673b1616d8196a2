#pragma once
// The memory for keys and values, in blocks, and the prefix cache that lives in what nobody holds.
// Does not know requests, steps or tokens: only blocks and the hashes of what they hold.

#include <cstdint>
#include <span>
#include <vector>

namespace loadline {

/// A block that can be found by its hash, from when it was published until it is evicted.
using BlockHandle = std::uint32_t;
inline constexpr BlockHandle no_block = 0xffffffff;

/// A block is unused, held, or evictable (nobody holds it, its content is kept until its place is needed,
/// longest unused first). Blocks of unknown content are only counted: when they are given back they queue
/// for eviction as one run, so a prompt that shares nothing costs the same whether it is long or short.
class KvPool {
 public:
  /// `keeps_content` off: what is given back is unused at once, nothing is ever found.
  KvPool(std::int64_t blocks, bool keeps_content);

  /// Blocks that `take` could give now.
  std::int64_t available() const { return unused_ + evictable_; }
  std::int64_t capacity() const { return capacity_; }
  /// Blocks that requests hold now; a shared one counts once.
  std::int64_t held() const { return capacity_ - available(); }

  /// Takes `count` blocks, at most available(): unused ones first, then the longest unneeded.
  void take(std::int64_t count);
  /// Gives back `count` blocks of unknown content.
  void give_back(std::int64_t count);

  /// The block with that content, or no_block.
  BlockHandle find(std::uint64_t hash) const;
  /// Nobody holds it: `hold` would make one block less available.
  bool evictable(BlockHandle block) const { return entries_[block].holders == 0; }
  void hold(BlockHandle block);
  /// One holder less; the last one leaves it evictable.
  void release(BlockHandle block);
  /// One of the caller's taken blocks now holds this content and can be found; the caller holds the handle
  /// instead of a counted block. no_block where that content is known already or nothing is kept: the
  /// block stays counted.
  BlockHandle publish(std::uint64_t hash);

  /// Forgets all content. Nobody may hold a block.
  void reset();

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::uint32_t holders = 0;
    std::uint32_t run = 0;                               ///< > 0: that many blocks of unknown content
    std::uint32_t previous = no_block, next = no_block;  ///< in the order of eviction
  };
  std::uint32_t new_entry();
  void append_evictable(std::uint32_t entry);
  void unlink(std::uint32_t entry);
  std::size_t place_of(std::uint64_t hash) const;
  void insert(std::uint64_t hash, std::uint32_t entry);
  void erase(std::uint64_t hash);

  std::int64_t capacity_, unused_, evictable_ = 0;
  bool keeps_content_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> spare_;  ///< entries out of use
  std::uint32_t oldest_ = no_block, newest_ = no_block;
  std::vector<std::uint32_t> table_;  ///< open addressing, linear probing; size a power of two
  std::size_t found_ = 0;             ///< hashes in the table
};

}  // namespace loadline
