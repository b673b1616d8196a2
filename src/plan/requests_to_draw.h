#pragma once
// How many requests a level's plan holds: more than the level can need, so that a plan never runs dry, and
// bounded.

#include <cstddef>
#include <optional>

#include "core/level.h"

namespace loadline {

/// Most requests of a level's plan, unless more are asked for by number.
inline constexpr std::size_t most_requests_drawn = 200'000;

/// Warm-up + measured + cool-down, rounded up, at most most_requests_drawn (numbers given explicitly are
/// never cut to that). X: expected_requests_per_s, where known and above 0. E2E: rules.expected_e2e, 0 where
/// unknown.
///
/// Closed loop of c users. Warm-up: the largest of 2 c, 2 X warmup_min and 9 max_requests (a fast target
/// takes many in the least time). Measured: max_requests; of `duration` d max(max_requests, 2 X d), X
/// unknown: the most. Cool-down: 50 c, because the others send on while the slowest ends.
///
/// Open loop of r requests/s. Warm-up: initial_in_flight + r max(open_warmup_min, 3 E2E). Measured: r
/// max_duration, at most max_requests; of `duration` d r d. Cool-down: r max(120 s, 10 E2E). Each of these
/// counts of random arrivals gets four standard deviations more, those of bursty gamma arrivals as much wider. Of the
/// log's own arrivals r is the log's mean rate times arrival_scale, and each count three times as large: a log has busy
/// hours. Turns that wait for a turn before (AfterTurn) need no more: with them r is offered, not above it.
///
/// `warmup_requests` replace the warm-up (initial_in_flight stays), `num_prompts` the measured ones; a
/// warm-up of 0 together with num_prompts: exactly num_prompts, for so many are sent.
std::size_t requests_to_draw(const Level& level, const LevelRules& rules,
                             std::optional<double> expected_requests_per_s = std::nullopt,
                             std::size_t initial_in_flight = 0);

}  // namespace loadline
