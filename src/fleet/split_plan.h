#pragma once
// One plan for many: each I/O thread, on this machine or another, carries a share of the level. Pure.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/plan.h"

namespace loadline {

/// A part of a plan that is a plan itself. Its level's target is the share's part of the users, or of the rate.
struct PlanShare {
  Plan plan;                              ///< without `blocks`: bodies are written from the whole plan
  std::vector<std::uint32_t> plan_index;  ///< of each of its requests: the index in the whole plan
};

/// How many shares carry a level where at most `most` are there: no share of a closed loop is without a user.
std::size_t shares_of(const Level& level, std::size_t most);

/// Splits a plan into `shares` (at least 1, at most shares_of). Users go to the shares in turn. A request goes, in the
/// order of the plan, to the share that has the least to do for each of its users, by the lengths of the answers and
/// prompts, so that no share is through with its part long before the others; at a rate, to the shares in turn. Turns
/// of a conversation stay together, and the order within a share is that of the plan. Every request is in exactly one
/// share.
std::vector<PlanShare> split_plan(const Plan& plan, std::size_t shares);

/// The share's plan with the blocks that its prompts name, so that it can be sent elsewhere.
Plan self_contained(const PlanShare& share, const Plan& whole);

}  // namespace loadline
