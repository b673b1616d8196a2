#pragma once
// What the server's usage reports say of R: lengths, prefix cache, shapes of requests.

#include "core/level_result.h"
#include "measure/measured_set.h"

namespace loadline {

/// Fills prompt_tokens, completion_tokens, planned_*, completion_cv, mean_context_tokens,
/// lengths_obeyed_share, request_means, shapes and the measured part of `cache`. A prompt without a count takes its
/// planned length, a request without cached_tokens, or with more of them than its prompt has, counts as uncached in
/// shapes but not in `cache`.
void tell_lengths(const LevelRecords& records, const MeasuredSet& set, LevelResult& result);

}  // namespace loadline
