#pragma once
// PrefixProfile of a log whose prompts are known as blocks.

#include "core/key_counts.h"
#include "core/trace_stats.h"
#include "prefix/block_log.h"

namespace loadline {

/// Of requests with `prompts`, counts of pair_key(prompt tokens, blocks), and the blocks of them that are kept. Exact
/// where all are, else estimated, with standard errors from eight groups of the kept blocks.
PrefixProfile profile_blocks(const KeyCounts& prompts, const BlockLog& blocks, std::uint32_t block_size);

/// The turns of conversations that a log does not declare, as SharingSummary::inferred_sessions defines them.
std::optional<SessionStats> infer_sessions(const KeyCounts& prompts, const BlockLog& blocks, std::uint32_t block_size);

}  // namespace loadline
