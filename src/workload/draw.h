#pragma once
// From a log, or from a built-in distribution, to the requests of one level: drawn jointly (prompt and
// completion of one logged row stay together), decided by the seed. The first n requests do not depend on
// how many are drawn (of a replay: given its window).
// The room knows nothing of rates or targets, and of times only what the log has written beside its rows.

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
  /// Rows of a log with longer prompts are left out instead, and counted (workload/over_limit.h). Built-ins: cut
  /// always.
  bool drop_over_limit = false;
  /// Of a log: rows, replay or sessions. Default: sessions where the log has block ids or names sessions, because
  /// independent rows lose what they share; else rows. Of a built-in its own sampler, and no other.
  std::optional<Sampler> sampler;
  std::size_t history = 0;  ///< replay: at most so many rows before the window become Workload::history
  /// replay: rows that will be sent, when fewer than are drawn: the window starts where the log has as many left.
  /// 0: `count`. A log that is shorter than that is entered anywhere.
  std::size_t window = 0;
};

/// Requests drawn from a user's log.
///
/// `rows`: independent rows with replacement. A row's k-th draw lies in sharing namespace k, so that it
/// is never a repetition of the first, and the requests belong to no session.
/// `sessions`: whole sessions or families of prompts (workload/session_units.h), without replacement, in an order in
/// which every beginning is like the log (workload/row_order.h); when all are drawn, again in a new sharing namespace
/// and with new sessions. It keeps how much is shared, not how far apart: what lies between two turns is thinned out.
/// `replay`: the log in its order, from a seeded position; at its end it begins again in a new sharing
/// namespace and with new sessions. A window has less history than the log, so without Workload::history its hit rate
/// is lower: that of what is sent (workload/sharing.h) is the target, not the log's rate.
/// Of sessions and replay the requests carry the log's arrivals (workload/log_times.h) and pauses. In `sessions` a
/// lap over the log takes about 500 of its rows, so their arrivals are as much thinner.
/// Tokens of a prompt that the log's block ids do not cover are the request's own. Where the log names sessions but has
/// no block ids, a turn repeats its session's turn before (workload/session_blocks.h).
/// Throws Error: no usable row, none within the limit, more requests than a run can number, a bad scale or limit, a
/// sampler that is not of logs.
Workload draw_workload(const Trace& trace, const DrawSettings& settings);

/// Requests drawn from built-in `name`, with or without "builtin:" before it (workload/builtin.h). Every
/// prompt is unique. Throws Error as above, and for an unknown name with the nearest one and the list.
Workload draw_builtin(std::string_view name, const DrawSettings& settings);

}  // namespace loadline
