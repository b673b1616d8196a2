#pragma once
// Trace -> PrefixProfile: how much of its prompts a log repeats, and what a prefix cache could make of it. Knows no
// formats, no engines and no time beyond the order of the rows.

#include "core/trace.h"
#include "core/trace_stats.h"
#include "prefix/sharing_summary.h"

namespace loadline {

/// The sharing of `trace`, rows taken in order of arrival. What is known depends on the log (Trace::sharing):
///
/// hashed: a request's hit is the run of leading block ids that earlier requests have shown, times the block size and
/// capped by its prompt. `full_blocks` counts only blocks that the prompt fills; `beyond_first_block` takes the first
/// block off each hit, which is often one system prompt shared by all. Rates are hit tokens over all prompt tokens;
/// `request_hit_rate_mean` is the mean over requests of hit / prompt. `requests_with_hit` and
/// `requests_with_two_blocks` are shares of requests that hit at least one and two blocks, `roots` the distinct first
/// ids. `lru`: the same hit rate with a cache of floor(fraction * unique blocks) blocks that forgets the least recently
/// used. A request first finds its hit, in the cache as the requests before have left it; then all its blocks are used,
/// from the first to the last (so the last is the most recent), missing ones being brought in.
///
/// cached_counts: token_hit_rate, request_hit_rate_mean and requests_with_hit of the logged counts, over the rows that
/// have one. It tells of the logging server's cache, not of the workload.
///
/// sessions: each turn is taken to start with the prompt of the turn before in its session, nothing where it is
/// shorter than that (the history was cut). An estimate that sees no sharing between sessions.
///
/// Where blocks are unknown, block_size, blocks, unique_blocks and roots are 0 and lru is empty. For unknown sharing
/// all is zero and means nothing.
PrefixProfile profile(const Trace& trace);

/// What that is made of, in memory without a limit: it also infers sessions.
SharingSummary sharing_of(const Trace& trace);

}  // namespace loadline
