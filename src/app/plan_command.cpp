#include <fmt/format.h>

#include <cstdio>

#include "app/commands.h"
#include "app/input.h"
#include "app/plan_level.h"
#include "app/refuse_options.h"
#include "app/settings.h"
#include "plan/make_plan.h"
#include "report/plan_json.h"
#include "report/plan_text.h"
#include "workload/sample_distance.h"
#include "workload/sharing.h"

namespace loadline {
namespace {

/// Where the default sweep begins; how it goes on is decided by what is measured.
std::vector<Level> first_levels() {
  std::vector<Level> levels;
  for (const double users : {1.0, 2.0, 4.0, 8.0}) levels.push_back({LevelKind::concurrency, users, Arrivals::closed});
  return levels;
}

PlannedLevel plan_page_level(const RunSpec& spec, const Input& input, const Level& level, const LevelRules& rules,
                             std::uint32_t ordinal) {
  Workload workload;
  PlannedLevel planned;
  planned.plan = plan_level(spec, input, level, rules, ordinal, {}, workload);
  planned.digest = plan_digest(planned.plan);
  planned.prompt_tokens = summarise_prompts(workload);
  planned.completion_tokens = summarise_completions(workload);
  planned.cut_prompts = workload.cut_prompts;
  planned.cut_completions = workload.cut_completions;
  planned.dropped_prompts = workload.dropped_prompts;
  if (input.trace) {
    planned.sampler = name(workload.sampler);
    planned.sample = sample_distance(*input.trace, workload, workload.requests.size());
  }
  UnboundedCache cache(planned.plan.blocks, planned.plan.block_size);
  for (const PlannedRequest& request : planned.plan.requests)
    planned.shared.push_back(cache.take(request.request.prompt));
  planned.prefix_sharing_rate = cache.token_hit_rate();
  return planned;
}

}  // namespace

ExitStatus plan_command(const PlanCommandSpec& spec) {
  refuse_options(spec.run, {"Prediction"},
                 "nothing is planned for a prediction; it is `loadline simulate` that predicts");
  RunSettings settings = settle(spec.run);
  const Input input = open_input(spec.run, spec.run.quiet || spec.run.json);
  take_rates_from_log(settings, log_rate_per_s(input));
  (void)class_names(settings.rules.objectives, input.trace ? &*input.trace : nullptr);  // refuses unknown ones
  PlanPage page;
  page.source = input.source;
  page.assumption = input.assumption;
  page.seed = spec.run.seed;
  page.scale_lengths = spec.run.scale_lengths;
  page.tokens_estimated = input.trace && input.trace->tokens_estimated;
  const std::vector<Level> levels = settings.levels.empty() ? first_levels() : settings.levels;
  for (const Level& level : levels) {
    page.levels.push_back(
        plan_page_level(spec.run, input, level, settings.rules, static_cast<std::uint32_t>(page.levels.size())));
  }
  fmt::print("{}", spec.run.json ? plan_json(page, spec.requests) : plan_text(page));
  if (settings.levels.empty() && !spec.run.json && !spec.run.quiet) {
    fmt::print("\nThe sweep begins with these levels; which follow is decided by what is measured.\n");
  }
  return ExitStatus::valid;
}

}  // namespace loadline
