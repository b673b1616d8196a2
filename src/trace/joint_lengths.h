#pragma once
// Prompts and completions together: what is known of a log's lengths, from how many rows have each pair of them.

#include "core/key_counts.h"
#include "core/trace_stats.h"

namespace loadline {

/// Fills prompt_tokens, completion_tokens, pearson, spearman and completion_by_prompt of `stats` from counts of
/// pair_key(prompt, completion). A length of 0 is unknown and in no number; correlations and bins are of the rows of
/// which both lengths are known. All sums are of integers, so the order of the rows changes nothing.
void describe_lengths(const KeyCounts& pairs, TraceStats& stats);

}  // namespace loadline
