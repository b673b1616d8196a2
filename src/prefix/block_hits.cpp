// One pass serves caches of all sizes: a leading run fits in a cache when the highest rank inside it does, so each hit
// belongs to the smallest cache that has it. Along a run only a block whose last use is older than all before it can
// have a higher rank; most blocks of a run were last used together, one after another, and are never ranked.
//
// Where one of 2^h ids is kept, r - 1 kept blocks used since stand for (r - 1) 2^h of the log, and the leading run is
// that of the kept blocks: of chained ids one is there only if those before it are, but for the one cut-off request.

#include "prefix/block_hits.h"

#include <algorithm>
#include <limits>

#include "prefix/reuse_order.h"

namespace loadline {
namespace {

class CacheWalk {
 public:
  CacheWalk(const BlockLog& log, std::uint32_t block_size, std::span<const std::uint64_t, lru_points> capacities,
            const WalkedBlocks& walked)
      : block_size_(block_size),
        capacities_(capacities),
        walked_(walked),
        scale_(log.halvings() + (walked.groups ? 3 : 0)),
        order_(log.blocks(), log.uses()),
        root_(log.blocks(), false) {}

  void request(std::uint32_t prompt, std::span<const BlockUse> uses);
  BlockMisses misses() const { return misses_; }

 private:
  bool is_walked(std::uint32_t block) const { return !walked_.groups || walked_.groups[block] == walked_.group; }
  void take_rank(const BlockUse& use);
  void note_root(const BlockUse& use);

  std::uint64_t block_size_;
  std::span<const std::uint64_t, lru_points> capacities_;
  WalkedBlocks walked_;
  std::uint32_t scale_;  ///< a walked block stands for 2^scale
  ReuseOrder order_;
  std::vector<bool> root_;  ///< by block: seen as a first one
  BlockMisses misses_;
  std::uint32_t oldest_use_ = 0;  ///< of the run so far
  std::size_t smallest_ = 0;      ///< the first capacity that holds the run so far
};

void CacheWalk::request(std::uint32_t prompt, std::span<const BlockUse> uses) {
  for (const BlockUse& use : uses) order_.prefetch(use.block);
  bool running = true;
  oldest_use_ = std::numeric_limits<std::uint32_t>::max();
  smallest_ = 0;
  std::uint64_t missed = 0;
  for (const BlockUse& use : uses) {
    if (!is_walked(use.block)) continue;
    const std::uint64_t tokens = tokens_of_block(prompt, use.depth, block_size_);
    running = running && order_.last_use(use.block) != 0;
    if (running) {
      if (order_.last_use(use.block) < oldest_use_) take_rank(use);
    } else {
      misses_.unbounded.add_block(tokens, use.depth, block_size_);
      missed += tokens;
    }
    const std::size_t missing = running ? smallest_ : lru_points;
    for (std::size_t c = 0; c < missing; ++c) misses_.lru_tokens[c] += tokens;
    if (use.depth == 0) note_root(use);
  }
  if (missed > 0) misses_.unbounded.prompt_shares += static_cast<double>(missed) / static_cast<double>(prompt);
  for (const BlockUse& use : uses) {
    if (is_walked(use.block)) order_.use(use.block);
  }
}

void CacheWalk::take_rank(const BlockUse& use) {
  oldest_use_ = order_.last_use(use.block);
  if (smallest_ == lru_points) return;
  const std::uint64_t rank = ((order_.rank(use.block) - 1) << scale_) + 1;
  while (smallest_ < lru_points && rank > capacities_[smallest_]) ++smallest_;
}

void CacheWalk::note_root(const BlockUse& use) {
  if (root_[use.block]) return;
  root_[use.block] = true;
  ++misses_.roots;
}

}  // namespace

BlockMisses walk_blocks(const BlockLog& log, std::uint32_t block_size,
                        std::span<const std::uint64_t, lru_points> capacities, const WalkedBlocks& walked) {
  CacheWalk walk(log, block_size, capacities, walked);
  log.for_each_in_time([&](std::uint32_t prompt, std::span<const BlockUse> uses) { walk.request(prompt, uses); });
  return walk.misses();
}

}  // namespace loadline
