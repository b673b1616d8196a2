#pragma once
// What a server with an unbounded prefix cache would find of the drawn requests, sent in their order: the
// target of a warm cache, against which the measured rate is held.

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "core/plan.h"
#include "core/workload.h"

namespace loadline {

/// A cache that forgets nothing. Hit = leading blocks already seen in the same sharing namespace, in tokens,
/// capped by the prompt's length. Blocks are ids of whole prefixes, so a seen id means that all before it is.
class UnboundedCache {
 public:
  /// `blocks`, of `block_size` tokens, is what the prompts point into and outlives this object.
  UnboundedCache(std::span<const std::uint64_t> blocks, std::uint32_t block_size)
      : blocks_(blocks), block_size_(block_size) {}

  /// Hit tokens of `prompt`, whose blocks are then known.
  Tokens take(const Prompt& prompt);
  /// Hit tokens / prompt tokens of all taken so far; 0 before the first.
  double token_hit_rate() const;

 private:
  std::span<const std::uint64_t> blocks_;
  std::uint32_t block_size_;
  std::unordered_set<std::uint64_t> seen_;  // mix(namespace, id)
  std::int64_t hit_ = 0, asked_ = 0;
};

/// Token hit rate of the first `count` requests of the plan (all, where there are fewer).
double planned_hit_rate(const Plan& plan, std::size_t count = SIZE_MAX);

/// Quantiles of the lengths drawn.
LengthSummary summarise_prompts(const Workload& workload);
LengthSummary summarise_completions(const Workload& workload);

}  // namespace loadline
