#pragma once
// A walk over the kept blocks of a log, request by request: what would have been in a prefix cache, and what not.

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "prefix/block_log.h"
#include "prefix/prompt_counts.h"

namespace loadline {

inline constexpr std::size_t lru_points = 5;

/// What the kept blocks miss. Misses, not hits, are what a sample is scaled up from: a block that everybody uses is hit
/// a thousand times and missed once, so the misses of few blocks tell those of all, and the hits do not.
struct BlockMisses {
  BlockAmounts unbounded;                              ///< in a cache that forgets nothing
  std::array<std::uint64_t, lru_points> lru_tokens{};  ///< in caches of the given capacities
  std::uint64_t roots = 0;                             ///< distinct first blocks
};

/// Which blocks of the log are walked.
struct WalkedBlocks {
  const std::uint8_t* groups = nullptr;  ///< by block; null: all of them
  std::uint8_t group = 0;                ///< only those of this group, an eighth
};

/// A request hits the leading run of its blocks that are there; then it uses all its blocks, first to last.
/// `capacities` ascending, in blocks of the whole log.
BlockMisses walk_blocks(const BlockLog& log, std::uint32_t block_size,
                        std::span<const std::uint64_t, lru_points> capacities, const WalkedBlocks& walked = {});

}  // namespace loadline
