#pragma once
// Which level to run next: the sweep of docs/method.md section 4, without its visits.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/level.h"
#include "core/level_result.h"

namespace loadline {

struct LadderSettings {
  std::vector<Objective> objectives;  ///< empty: the curve alone
  double most_users = 1024;           ///< never a level above
  std::size_t least_levels = 8;
  std::size_t least_middles = 3;  ///< levels put inside the bracket
};

/// The load of the next level, absent when the sweep is complete. Pure: decided by `results`, in the order in which
/// they were run; of these only the closed-loop levels count.
std::optional<double> next_level(const std::vector<LevelResult>& results, const LadderSettings& settings);

}  // namespace loadline
