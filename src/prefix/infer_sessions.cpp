// With chained ids a prompt begins with all full blocks of an earlier one exactly when the last of those is among its
// own blocks. So it is enough to know, for each block, which request ended there last.

#include <algorithm>
#include <vector>

#include "prefix/hashed_profile.h"
#include "prefix/prompt_counts.h"

namespace loadline {
namespace {

class SessionChain {
 public:
  SessionChain(std::uint32_t blocks, std::uint32_t block_size, std::uint64_t full_blocks_needed)
      : latest_end_(blocks, 0), block_size_(block_size), full_blocks_needed_(full_blocks_needed) {}

  void request(std::uint32_t prompt, std::span<const BlockUse> uses) {
    std::uint32_t before = 0;
    for (const BlockUse& use : uses) before = std::max(before, latest_end_[use.block]);
    if (before == 0) turns_.push_back(0);
    const std::uint32_t session =
        before == 0 ? static_cast<std::uint32_t>(turns_.size() - 1) : session_of_request_[before - 1];
    ++turns_[session];
    session_of_request_.push_back(session);
    const std::uint64_t full = std::min<std::uint64_t>(uses.size(), prompt / block_size_);
    if (full >= full_blocks_needed_)
      latest_end_[uses[full - 1].block] = static_cast<std::uint32_t>(session_of_request_.size());
  }
  std::vector<std::int64_t> turns() && { return std::move(turns_); }

 private:
  std::vector<std::uint32_t> latest_end_;  ///< by block: the request whose full blocks end there, from 1; 0: none
  std::uint64_t block_size_, full_blocks_needed_;
  std::vector<std::uint32_t> session_of_request_;
  std::vector<std::int64_t> turns_;
};

bool one_first_block(const BlockLog& blocks) {
  std::optional<std::uint32_t> first;
  bool one = true;
  blocks.for_each_in_time([&](std::uint32_t, std::span<const BlockUse> uses) {
    one = one && uses.front().block == first.value_or(uses.front().block);
    first = uses.front().block;
  });
  return one;
}

}  // namespace

std::optional<SessionStats> infer_sessions(const KeyCounts& prompts, const BlockLog& blocks, std::uint32_t block_size) {
  if (blocks.halvings() > 0 || blocks.unchained_uses() > 0 || blocks.blocks() == 0 || block_size == 0)
    return std::nullopt;
  SessionChain chain(blocks.blocks(), block_size, one_first_block(blocks) ? 3 : 2);
  blocks.for_each_in_time([&](std::uint32_t prompt, std::span<const BlockUse> uses) { chain.request(prompt, uses); });
  std::vector<std::int64_t> turns = std::move(chain).turns();
  turns.insert(turns.end(), offered_prompts(prompts, block_size).without_blocks, 1);
  SessionStats stats;
  stats.count = turns.size();
  stats.single_turn_share =
      static_cast<double>(std::count(turns.begin(), turns.end(), 1)) / static_cast<double>(turns.size());
  stats.turns = summarise_lengths(std::move(turns));
  return stats;
}

}  // namespace loadline
