#include "prefix/prompt_counts.h"

#include <algorithm>

namespace loadline {

OfferedPrompts offered_prompts(const KeyCounts& prompts, std::uint32_t block_size) {
  OfferedPrompts offered;
  // Sorted, so that the sum of shares does not depend on how the log was cut.
  for (const KeyCounts::Entry& entry : prompts.sorted()) {
    const std::uint64_t prompt = first_of(entry.key), blocks = second_of(entry.key);
    offered.requests += entry.count;
    offered.prompt_tokens += entry.count * prompt;
    offered.block_uses += entry.count * blocks;
    if (blocks == 0) offered.without_blocks += entry.count;
    if (blocks == 0 || prompt == 0 || block_size == 0) continue;
    const std::uint64_t covered = std::min(blocks * block_size, prompt);
    BlockAmounts& sum = offered.in_blocks;
    sum.tokens += entry.count * covered;
    sum.full_block_tokens += entry.count * (covered / block_size * block_size);
    sum.beyond_first_tokens += entry.count * (covered - std::min<std::uint64_t>(block_size, covered));
    sum.first_blocks += entry.count;
    sum.second_blocks += blocks > 1 ? entry.count : 0;
    sum.prompt_shares +=
        static_cast<double>(entry.count) * (static_cast<double>(covered) / static_cast<double>(prompt));
  }
  return offered;
}

}  // namespace loadline
