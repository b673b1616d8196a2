#pragma once
// `loadline plan --json`. Computes nothing.

#include <cstddef>
#include <string>

#include "report/plan_page.h"

namespace loadline {

/// One JSON object, ending in a line feed; the first `shown` requests of each level stand in it:
///   source, assumption (null for a log), seed, scale_lengths, tokens (of the log: counted | estimated; null
///   without one), levels[]
/// of a level:
///   kind, target, arrivals, ordinal, requests, digest (16 hex digits), prompt_tokens{n, min, ..., max,
///   mean}, completion_tokens{same}, prefix_sharing_rate, block_size (null without blocks), cut_prompts,
///   cut_completions, dropped_prompts, sampler, sample{prompt_ks, completion_ks, log_hit_rate, sample_hit_rate,
///   uncut_hit_rate} (null without a log), first_requests[]
/// of a request:
///   serial (its index in the plan), due_s (after the level's start; null: when a user is free, or after another
///   request), after{request, pause_s, not_before_s} (the turn before in its session; null: it waits for none),
///   prompt_tokens, completion_tokens (null: not known), shared_tokens, blocks, session, turn (both null in no session)
std::string plan_json(const PlanPage& page, std::size_t shown = 10);

}  // namespace loadline
