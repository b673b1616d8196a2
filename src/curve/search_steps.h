#pragma once
// The first, rough levels of a search: which loads lie on both sides of the crossing. docs/method.md section 4,
// "Search" step 1 and "Open search". Pure functions of the results so far.

#include <cstdint>
#include <optional>
#include <span>

#include "core/level_result.h"

namespace loadline {

struct RampLevel {
  double users = 1;
  std::uint32_t requests = 30;
};
/// Users 1, 2, 4, ... (times `factor`) until more than five times the share that an objective allows lie above its
/// limit, or `most_users` were tried: 30 requests for 1 and 2 users, 120 for 4, 300 for more. Absent when the ramp has
/// ended. `results`: its levels so far, in the order in which they were run.
std::optional<RampLevel> next_ramp_level(std::span<const LevelResult> results, double most_users, double factor = 2);

/// Steps of 15% from `start` requests/s, down while the share above a limit is more than allowed, up while it is less,
/// until both kinds of rate are known; a saturated rate is above. Absent when they are, or after 20 steps (then
/// nothing is bracketed). `results`: the steps so far.
std::optional<double> next_open_step(std::span<const LevelResult> results, double start);

/// Some level has more above a limit than allowed, and some has not.
bool has_both_sides(std::span<const LevelResult> results);

/// More of the level's requests lie above a limit than `times` the share that its objective allows, or it is saturated.
bool is_above(const LevelResult& level, double times);

}  // namespace loadline
