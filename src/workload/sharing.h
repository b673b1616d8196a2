#pragma once
// What a server with an unbounded prefix cache would find of the drawn requests, sent in their order: the
// target of a warm cache, against which the measured rate is held.

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/plan.h"
#include "core/workload.h"

namespace loadline {

/// A cache that forgets nothing. Hit = the beginning of the prompt that was already seen in the same sharing namespace:
/// leading blocks with known ids, the last one as far as a prompt has filled it. Blocks are ids of whole prefixes, so a
/// seen id means that all before it is.
class UnboundedCache {
 public:
  /// `blocks`, of `block_size` tokens, is what the prompts point into and outlives this object.
  UnboundedCache(std::span<const std::uint64_t> blocks, std::uint32_t block_size)
      : blocks_(blocks), block_size_(block_size) {}

  /// Hit tokens of `prompt`, whose blocks are then known.
  Tokens take(const Prompt& prompt);
  /// Makes the blocks of `prompt` known without counting it.
  void remember(const Prompt& prompt) { hit_and_learn(prompt); }
  /// Hit tokens / prompt tokens of all taken so far; 0 before the first.
  double token_hit_rate() const;

 private:
  std::int64_t hit_and_learn(const Prompt& prompt);

  std::span<const std::uint64_t> blocks_;
  std::uint32_t block_size_;
  std::unordered_map<std::uint64_t, std::int64_t> filled_;  ///< by mix(namespace, id): tokens of the block seen
  std::int64_t hit_ = 0, asked_ = 0;
};

/// Quantiles of the lengths drawn; lengths that are unknown (0) are left out.
LengthSummary summarise_prompts(const Workload& workload);
LengthSummary summarise_completions(const Workload& workload);

}  // namespace loadline
