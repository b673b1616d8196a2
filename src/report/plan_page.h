#pragma once
// What `loadline plan` prints, as one value: app assembles it, plan_text and plan_json draw it.

#include <cstdint>
#include <string>
#include <vector>

#include "core/plan.h"
#include "core/workload.h"

namespace loadline {

struct PlannedLevel {
  Plan plan;
  std::uint64_t digest = 0;  ///< plan_digest (plan/make_plan.h)
  LengthSummary prompt_tokens, completion_tokens;
  /// Hit tokens / prompt tokens of all requests in their order, in a cache that forgets nothing.
  double prefix_sharing_rate = 0;
  std::vector<Tokens> shared;  ///< by request, for at least as many as are shown: prompt tokens sent before
  std::uint64_t cut_prompts = 0, cut_completions = 0;
};

struct PlanPage {
  std::string source;      ///< file or "builtin:NAME"
  std::string assumption;  ///< empty for a user's log
  std::uint64_t seed = 0;
  double scale_lengths = 1;
  std::vector<PlannedLevel> levels;
};

}  // namespace loadline
