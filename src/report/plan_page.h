#pragma once
// What `loadline plan` prints, as one value: app assembles it, plan_text and plan_json draw it.

#include <cstdint>
#include <optional>
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
  std::uint64_t dropped_prompts = 0;     ///< left out: too long, or the rest of such a session
  std::string sampler;                   ///< name(Sampler); empty: not said
  std::optional<SampleDistance> sample;  ///< all requests of the plan against the log; absent without a log
};

struct PlanPage {
  std::string source;      ///< file or "builtin:NAME"
  std::string assumption;  ///< empty for a user's log
  std::uint64_t seed = 0;
  double scale_lengths = 1;
  bool tokens_estimated = false;  ///< the log's lengths are, and so those drawn from it
  std::vector<PlannedLevel> levels;
};

}  // namespace loadline
