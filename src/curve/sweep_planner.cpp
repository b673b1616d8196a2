#include "curve/sweep_planner.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "curve/ladder.h"
#include "curve/nearest_level.h"
#include "curve/search_steps.h"

namespace loadline {
namespace {

// A visit takes no more than this share of the budget where that leaves it this many requests: a short budget buys
// several short visits rather than one long one.
constexpr double most_of_budget = 1.0 / 12;
constexpr std::uint32_t least_visit_requests = 100;
// The curve and a search's ramp end when they have taken this share of the budget and reached past the crossing.
constexpr double most_for_curve = 0.5;
// A ramp in factors of 2 costs a quarter of this.
constexpr double budget_for_fine_ramp_s = 1800;
// Users who wait carry more than arrivals that do not: the open search begins below.
constexpr double open_start = 0.75;

bool has(const LevelResult& level, LevelPurpose purpose) { return level.level.purpose == purpose; }

std::vector<LevelResult> of_purpose(const std::vector<LevelResult>& results, LevelPurpose purpose) {
  std::vector<LevelResult> chosen;
  std::ranges::copy_if(results, std::back_inserter(chosen), [&](const LevelResult& one) { return has(one, purpose); });
  return chosen;
}

double engine_seconds(const std::vector<LevelResult>& results, LevelKind kind) {
  double sum = 0;
  for (const LevelResult& one : results) sum += one.level.kind == kind ? one.engine_s : 0;
  return sum;
}

// As many requests as a level at that rate may measure in its part of the budget.
std::uint32_t affordable(double requests_per_s, double budget_s, std::uint32_t most) {
  const double count = std::floor(requests_per_s * budget_s * most_of_budget);
  return static_cast<std::uint32_t>(std::clamp<double>(count, least_visit_requests, most));
}

// The crossing lies among the loads that were run.
bool is_among(const std::vector<LevelResult>& results, LevelKind kind, double load) {
  bool below = false, above = false;
  for (const LevelResult& one : results) {
    if (one.level.kind != kind) continue;
    below = below || one.level.target <= load;
    above = above || one.level.target >= load;
  }
  return below && above;
}

}  // namespace

Level SweepPlanner::sized(Level level, std::uint32_t requests) const {
  level.requests = goal_.extent_is_prescribed ? 0 : requests;
  return level;
}

std::optional<Level> SweepPlanner::next(const std::vector<LevelResult>& results) {
  if (!closed_end_) {
    if (std::optional<Level> level = next_closed(results)) return level;
  }
  return goal_.open ? next_open(results) : std::nullopt;
}

// The budget's first part goes to the curve, as far as it has to: until something lies past the crossing.
bool SweepPlanner::curve_is_paid_up(const std::vector<LevelResult>& results) const {
  if (!goal_.listed.empty() || !goal_.refine || goal_.objectives.empty()) return false;
  return engine_seconds(results, LevelKind::concurrency) >= most_for_curve * goal_.closed_budget_s &&
         std::ranges::any_of(results, [](const LevelResult& one) { return is_above(one, 1); });
}

std::optional<Level> SweepPlanner::next_closed(const std::vector<LevelResult>& results) {
  std::optional<Level> level;
  if (!curve_is_paid_up(results)) level = next_of_curve(results);
  if (!level && goal_.up_and_down) level = next_backward(results);
  if (level) {
    const bool is_paid_for = !goal_.listed.empty() || engine_seconds(results, level->kind) < goal_.closed_budget_s;
    if (is_paid_for) return level;
    closed_end_ = SweepEnd::budget;
    return std::nullopt;
  }
  if (!goal_.listed.empty()) {
    closed_end_ = SweepEnd::listed;
    return std::nullopt;
  }
  if (goal_.objectives.empty() || !(goal_.refine || goal_.search)) {
    closed_end_ = SweepEnd::curve;
    return std::nullopt;
  }
  return next_visit(results, closed_visits(goal_.precision), goal_.closed_budget_s, closed_end_);
}

std::optional<Level> SweepPlanner::next_of_curve(const std::vector<LevelResult>& results) const {
  if (!goal_.listed.empty()) {
    const std::size_t run = of_purpose(results, LevelPurpose::listed).size();
    return run < goal_.listed.size() ? std::optional(goal_.listed[run]) : std::nullopt;
  }
  Level level{LevelKind::concurrency, 1, Arrivals::closed};
  if (goal_.search) {
    const std::vector<LevelResult> ramp = of_purpose(results, LevelPurpose::ramp);
    const std::optional<RampLevel> next =
        next_ramp_level(ramp, goal_.most_users, goal_.closed_budget_s < budget_for_fine_ramp_s ? 4 : 2);
    if (!next) return std::nullopt;
    level.target = next->users;
    level.purpose = LevelPurpose::ramp;
    return sized(level, next->requests);
  }
  LadderSettings ladder;
  ladder.objectives = goal_.objectives;
  ladder.most_users = goal_.most_users;
  const std::optional<double> users = next_level(of_purpose(results, LevelPurpose::ladder), ladder);
  if (!users) return std::nullopt;
  level.target = *users;
  level.purpose = LevelPurpose::ladder;
  return level;
}

// Every load of the curve below its highest, downwards.
std::optional<Level> SweepPlanner::next_backward(const std::vector<LevelResult>& results) const {
  std::set<double> loads;
  std::optional<Level> first;
  for (const LevelResult& one : results) {
    if (has(one, LevelPurpose::backward) || has(one, LevelPurpose::visit) || has(one, LevelPurpose::step)) continue;
    if (!first) first = one.level;
    if (one.level.kind == first->kind) loads.insert(one.level.target);
  }
  if (!first) return std::nullopt;
  loads.erase(std::prev(loads.end()));
  for (const LevelResult& one : results) {
    if (has(one, LevelPurpose::backward)) loads.erase(one.level.target);
  }
  if (loads.empty()) return std::nullopt;
  Level level = *first;
  level.target = *loads.rbegin();
  level.purpose = LevelPurpose::backward;
  return level;
}

std::optional<Level> SweepPlanner::next_visit(const std::vector<LevelResult>& results, const VisitRules& rules,
                                              double budget_s, std::optional<SweepEnd>& end) {
  const std::optional<CapacityEstimate> estimate =
      estimate_capacity(results, rules.kind, goal_.objectives, goal_.workload_mean_completion);
  const std::size_t visits = count_visits(results, rules.kind);
  // Of rates the steps have found both sides. Later the estimate may move past what was run: a visit there decides it.
  const bool must_be_among = visits == 0 && rules.kind == LevelKind::concurrency;
  if (!estimate || (must_be_among && !is_among(results, rules.kind, estimate->crossing.load.value))) {
    end = SweepEnd::not_crossed;
    return std::nullopt;
  }
  const bool is_close = is_close_enough(*estimate, visits, rules);
  const auto before = was_close_.find(results.size() - 1);
  const bool was_close = before != was_close_.end() && before->second;
  was_close_[results.size()] = is_close;
  if (is_close && was_close) {
    end = SweepEnd::precision;
    return std::nullopt;
  }
  Level level{rules.kind, visit_load(estimate->crossing, visits, rules, goal_.most_users), Arrivals::closed};
  if (rules.kind == LevelKind::request_rate) level.arrivals = Arrivals::poisson;
  level.purpose = LevelPurpose::visit;
  const LevelResult* nearest = nearest_level(results, rules.kind, level.target,
                                             [](const LevelResult& one) { return one.completed_requests_per_s > 0; });
  const double rate = nearest == nullptr ? 0 : nearest->completed_requests_per_s;
  level = sized(level, affordable(rate, budget_s, rules.requests));
  // The last level took this long beside its window; the next one takes about as much.
  const double overhead = results.back().engine_s - results.back().measured_s;
  const double expected = rate > 0 ? level.requests / rate + overhead : results.back().engine_s;
  if (engine_seconds(results, rules.kind) + expected > budget_s) {
    end = SweepEnd::budget;
    return std::nullopt;
  }
  return level;
}

std::optional<Level> SweepPlanner::next_open(const std::vector<LevelResult>& results) {
  if (open_end_) return std::nullopt;
  if (!open_start_) {
    const std::optional<CapacityEstimate> closed =
        estimate_capacity(results, LevelKind::concurrency, goal_.objectives, goal_.workload_mean_completion);
    const bool is_known = closed && closed->carried.requests_per_s && closed_end_ != SweepEnd::not_crossed &&
                          is_among(results, LevelKind::concurrency, closed->crossing.load.value);
    if (!is_known) {
      open_end_ = SweepEnd::not_crossed;
      return std::nullopt;
    }
    open_start_ = open_start * closed->carried.requests_per_s->value;
  }
  const VisitRules rules = open_visits(goal_.precision);
  const std::optional<double> rate = next_open_step(of_purpose(results, LevelPurpose::step), *open_start_);
  if (!rate && !has_both_sides(of_purpose(results, LevelPurpose::step))) {
    open_end_ = SweepEnd::not_crossed;
    return std::nullopt;
  }
  if (!rate) return next_visit(results, rules, goal_.open_budget_s, open_end_);
  const std::uint32_t requests = affordable(*rate, goal_.open_budget_s, rules.requests);
  const double spent = engine_seconds(results, LevelKind::request_rate);
  const bool is_first = spent == 0;
  if (!is_first && spent + requests / *rate > goal_.open_budget_s) {
    open_end_ = SweepEnd::budget;
    return std::nullopt;
  }
  Level level{LevelKind::request_rate, in_three_digits(*rate), Arrivals::poisson};
  level.purpose = LevelPurpose::step;
  return sized(level, requests);
}

}  // namespace loadline
