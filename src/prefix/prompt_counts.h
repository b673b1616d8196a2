#pragma once
// How many requests have a prompt of so many tokens in so many blocks: all that rates of hits are shares of.

#include <cstdint>

#include "core/key_counts.h"

namespace loadline {

/// The block at `depth` holds so many tokens of a prompt; 0 where the prompt ends before it.
constexpr std::uint64_t tokens_of_block(std::uint64_t prompt, std::uint64_t depth, std::uint64_t block_size) {
  const std::uint64_t before = depth * block_size;
  if (prompt <= before) return 0;
  return prompt - before < block_size ? prompt - before : block_size;
}

/// Amounts that can hit, or miss.
struct BlockAmounts {
  std::uint64_t tokens = 0;
  std::uint64_t full_block_tokens = 0;    ///< of blocks that the prompt fills
  std::uint64_t beyond_first_tokens = 0;  ///< of all blocks but the first
  std::uint64_t first_blocks = 0;         ///< requests with a first, and with a second block
  std::uint64_t second_blocks = 0;
  double prompt_shares = 0;  ///< tokens / prompt, added up over the requests

  void add_block(std::uint64_t block_tokens, std::uint64_t depth, std::uint64_t block_size) {
    tokens += block_tokens;
    if (block_tokens == block_size) full_block_tokens += block_tokens;
    if (depth > 0) beyond_first_tokens += block_tokens;
    first_blocks += depth == 0 ? 1 : 0;
    second_blocks += depth == 1 ? 1 : 0;
  }
};

/// What a log's requests offer.
struct OfferedPrompts {
  std::uint64_t requests = 0, prompt_tokens = 0, block_uses = 0, without_blocks = 0;
  BlockAmounts in_blocks;
};

/// `prompts` counts pair_key(prompt tokens, blocks).
OfferedPrompts offered_prompts(const KeyCounts& prompts, std::uint32_t block_size);

}  // namespace loadline
