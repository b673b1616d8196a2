#pragma once
// Hashes of a prompt's leading full blocks, each chained to the ones before: equal hash = equal beginning.

#include <cstdint>
#include <span>
#include <vector>

#include "core/request.h"

namespace loadline {

/// Replaces `hashes` by those of the full blocks of `tokens`, `block_size` tokens each.
void hash_blocks(std::span<const std::uint32_t> tokens, std::int64_t block_size, std::vector<std::uint64_t>& hashes);

/// The same from a prompt's recipe, without making its tokens: two recipes give equal hashes exactly where
/// core/prompt.h would give equal tokens. Only blocks that lie wholly in the shared part are hashed: what
/// follows belongs to this prompt alone. `plan_blocks` and `plan_block_size` are the plan's.
void hash_recipe(const Prompt& prompt, std::span<const std::uint64_t> plan_blocks, std::uint32_t plan_block_size,
                 std::int64_t block_size, std::vector<std::uint64_t>& hashes);

}  // namespace loadline
