#pragma once
// From a log, or from a built-in distribution, to the requests of one level: drawn jointly (prompt and
// completion of one logged row stay together), decided by the seed. The first n requests do not depend on
// how many are drawn.
// The room knows nothing of times, rates or targets.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/trace.h"
#include "core/workload.h"

namespace loadline {

struct DrawSettings {
  std::uint64_t seed = 0;
  std::uint32_t ordinal = 0;  ///< of the level: other levels draw other requests and share no block with it
  std::size_t count = 0;
  double scale_lengths = 1;                                        ///< both lengths times this (workload/length_rule.h)
  std::optional<Tokens> max_prompt_tokens, max_completion_tokens;  ///< longer ones are cut, and counted
  /// Of a log: rows or replay. Default: replay where the log has hashes, because only rows in order keep its
  /// prefix sharing; else rows. Of a built-in its own sampler, and no other.
  std::optional<Sampler> sampler;
};

/// Requests drawn from a user's log.
///
/// `rows`: independent rows with replacement. A row's k-th draw lies in sharing namespace k, so that it
/// is never a repetition of the first, and the requests belong to no session.
/// `replay`: the log in its order, from a seeded position; at its end it begins again in a new sharing
/// namespace and with new sessions. A window has less history than the log, so its hit rate is lower:
/// `planned_hit_rate` of what is sent (workload/sharing.h) is the target, not the log's rate.
/// Tokens of a prompt that the log's block ids do not cover are the request's own.
/// Throws Error: no usable row, more requests than a run can number, a bad scale or limit, a sampler that
/// is not of logs.
Workload draw_workload(const Trace& trace, const DrawSettings& settings);

/// Requests drawn from built-in `name`, with or without "builtin:" before it (workload/builtin.h). Every
/// prompt is unique. Throws Error as above, and for an unknown name with the nearest one and the list.
Workload draw_builtin(std::string_view name, const DrawSettings& settings);

}  // namespace loadline
