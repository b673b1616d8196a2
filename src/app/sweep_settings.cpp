#include "app/sweep_settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/values.h"
#include "core/error.h"

namespace loadline {
namespace {

// Where visits decide the capacity, a level of the curve that cannot be decided after this many requests is left open:
// the time narrows the interval more when it is spent on visits (half widths of 7.7% after two hours instead of 9.1%
// with 5,000, docs/method.md section 4).
constexpr std::uint32_t curve_requests_before_visits = 2000;
constexpr std::uint64_t most_repeats = 100;
constexpr double least_budget_s = 240;
// With a budget no level of the curve takes more of it than this: a curve has about a dozen, and the visits need the
// rest.
constexpr double share_of_a_level = 1.0 / 24;

void require_consistent_search(const RunSpec& spec, const RunSettings& settings) {
  const bool is_listed = !settings.levels.empty();
  const bool is_open_loop = is_listed && settings.levels.front().kind == LevelKind::request_rate;
  const std::string_view given = is_open_loop ? "--request-rate" : "--concurrency";
  if (spec.search && is_listed) throw Error(fmt::format("--search chooses its own levels; leave out {}", given));
  if (spec.search && spec.slo.empty()) {
    throw Error("--search looks for where an objective is crossed; give one with --slo 'p99 ttft<=1000ms'");
  }
  if (spec.open && spec.slo.empty()) {
    throw Error("--open looks for the rate that meets an objective; give one with --slo 'p99 ttft<=1000ms'");
  }
  if (spec.open && is_open_loop) {
    throw Error("--open finds rates by itself after levels in users; leave out --request-rate and --arrivals");
  }
  if (spec.search && spec.up_and_down) {
    throw Error("--up-and-down walks the curve back, and --search draws none; leave one of them out");
  }
  if (spec.search && (spec.no_refine || spec.refine == "false")) {
    throw Error("--search is nothing but visits near the crossing; leave out --no-refine");
  }
  if (!spec.budget.empty() && is_listed && !spec.open) {
    throw Error(fmt::format(
        "--budget is of a sweep that chooses its levels; with {} say how long a level may take by --max-duration",
        given));
  }
}

bool refines(const RunSpec& spec) {
  if (spec.refine.empty()) return !spec.no_refine;
  if (spec.refine != "true" && spec.refine != "false") {
    throw Error(fmt::format("--refine: '{}' is neither true nor false", spec.refine));
  }
  if (spec.refine == "true" && spec.no_refine)
    throw Error("--refine true and --no-refine contradict; give one of them");
  return spec.refine == "true";
}

/// The whole run has it: each repetition its part, and of that half each the closed and the open search where both are
/// asked for. Listed levels take what they take.
void settle_budget(const RunSpec& spec, RunSettings& settings) {
  if (spec.budget.empty()) return;
  const Nanos budget = parse_duration(spec.budget, "--budget");
  const double whole = seconds(budget) / static_cast<double>(settings.repeats);
  if (whole < least_budget_s) {
    throw Error(fmt::format("--budget: '{}' of engine time holds no level with its warm-up{}; give more", spec.budget,
                            spec.repeats > 1 ? " in each repetition" : ""));
  }
  const bool is_shared = spec.open && settings.levels.empty();
  settings.goal.closed_budget_s = settings.goal.open_budget_s = is_shared ? whole / 2 : whole;
  if (!settings.levels.empty() || !spec.max_duration.empty()) return;
  const Nanos of_a_level = nanos(Seconds(settings.goal.closed_budget_s * share_of_a_level));
  settings.rules.max_duration = std::min(settings.rules.max_duration, of_a_level);
  settings.rules.max_duration_few_users = std::min(settings.rules.max_duration_few_users, of_a_level);
}

}  // namespace

void settle_sweep(const RunSpec& spec, RunSettings& settings) {
  require_consistent_search(spec, settings);
  SweepGoal& goal = settings.goal;
  goal.search = spec.search;
  goal.open = spec.open;
  goal.up_and_down = spec.up_and_down;
  goal.refine = refines(spec);
  goal.most_users = static_cast<double>(spec.max_users);
  goal.extent_is_prescribed = spec.num_prompts || !spec.duration.empty();
  const bool visits_decide = goal.refine && !goal.search && settings.levels.empty() && !spec.slo.empty();
  if (visits_decide && !spec.max_requests && !settings.rules.until_stable)
    settings.rules.max_requests = curve_requests_before_visits;
  if (!spec.capacity_precision.empty()) goal.precision = parse_share(spec.capacity_precision, "--capacity-precision");
  if (spec.repeats == 0 || spec.repeats > most_repeats) {
    throw Error(fmt::format("--repeats: {} is not from 1 to {}", spec.repeats, most_repeats));
  }
  settings.repeats = static_cast<std::uint32_t>(spec.repeats);
  settle_budget(spec, settings);
}

}  // namespace loadline
