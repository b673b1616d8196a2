#include "curve/operating_point.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "curve/crossing_estimate.h"
#include "curve/curve_rows.h"
#include "curve/level_p99.h"

namespace loadline {
namespace {

constexpr double close_to_an_end = 0.05;

// By the verdicts; where there is none of `over`, by p99 itself for rows imported without requests.
bool counts_as_over(const LevelResult& level, std::size_t index, const Objective& objective) {
  if (is_over(level, index)) return true;
  if (index < level.objectives.size() && level.objectives[index].n > 0) return false;
  const std::optional<double> p99 = p99_ms(level, objective.metric);
  return p99 && *p99 > milliseconds(objective.limit);
}

void show_bracket(std::span<const LevelResult> levels, std::size_t index, double load, Capacity& capacity) {
  for (const LevelResult& level : levels) {
    if (is_under(level, index)) capacity.bracket_low = level.level.target;
  }
  for (const LevelResult& level : levels) {
    const bool is_above = !capacity.bracket_low || level.level.target > *capacity.bracket_low;
    if (is_above && !capacity.bracket_high && is_over(level, index)) capacity.bracket_high = level.level.target;
  }
  if (load <= 0) return;
  const auto is_close = [&](const std::optional<double>& end) { return end && std::abs(std::log(load / *end)) <= close_to_an_end; };
  const bool low_is_close = is_close(capacity.bracket_low), high_is_close = is_close(capacity.bracket_high);
  if (low_is_close) {
    const double end = *capacity.bracket_low;
    for (const LevelResult& level : levels) {
      if (level.level.target < end) capacity.bracket_low = level.level.target;
    }
  }
  if (!high_is_close) return;
  const double end = *capacity.bracket_high;
  for (const LevelResult& level : levels) {
    if (level.level.target <= end) continue;
    capacity.bracket_high = level.level.target;
    break;
  }
}

// Only one end of a capacity is known: it lies below the first level or not below the last.
void bound_by_level(const LevelResult& level, bool is_upper, Capacity& capacity) {
  const auto bounded = [&](double value) { return is_upper ? Estimate{value, std::nullopt, value} : Estimate{value, value, std::nullopt}; };
  capacity.load = bounded(level.level.target);
  capacity.requests_per_s = bounded(level.completed_requests_per_s);
  capacity.output_tokens_per_s = bounded(level.aggregate_output_tokens_per_s);
}

void fill_estimate(std::span<const CrossingRow> rows, const CrossingEstimate& crossing, const MeanCompletion& mean, Capacity& capacity) {
  capacity.load = crossing.load;
  const bool is_closed = capacity.kind == LevelKind::concurrency;
  const bool has_aggregate = std::ranges::any_of(rows, [](const CrossingRow& row) { return row.aggregate > 0; });
  if (has_aggregate) {
    const AggregateEstimate aggregate = estimate_aggregate(rows, crossing.load);
    capacity.output_tokens_per_s = aggregate.tokens_per_s;
    if (is_closed && mean.tokens > 0) capacity.requests_per_s = capacity_of(aggregate, mean.tokens, mean.relative_error);
  }
  if (!is_closed) capacity.requests_per_s = crossing.load;
  capacity.estimate_exists = !is_closed || (has_aggregate && mean.tokens > 0);
}

struct CurveContext {
  std::span<const LevelResult> levels;   // of one kind, by load
  LevelKind kind;
  MeanCompletion mean;
};

std::optional<CrossingEstimate> crossing_of(const std::vector<CrossingRow>& rows, LevelKind kind, double percentile) {
  if (rows.empty()) return std::nullopt;
  CrossingSettings settings = kind == LevelKind::request_rate ? CrossingSettings::open_loop(0) : CrossingSettings();
  settings.allowed = 1 - percentile;
  return estimate_crossing(rows, settings);
}

Crossing crossing_kind(std::span<const LevelResult> levels, const Objective& objective, std::size_t index,
                       const std::optional<CrossingEstimate>& crossing) {
  const double lowest = levels.front().level.target, highest = levels.back().level.target;
  if (counts_as_over(levels.front(), index, objective)) return Crossing::below_first_level;
  bool any_over = false;
  for (const LevelResult& level : levels) any_over = any_over || counts_as_over(level, index, objective);
  const bool ends_below = crossing && *crossing->load.high < highest;
  if (!any_over && !ends_below) return Crossing::above_last_level;
  if (crossing && crossing->load.value > highest) return Crossing::above_last_level;
  return crossing && crossing->load.value < lowest ? Crossing::below_first_level : Crossing::bracketed;
}

std::optional<Capacity> capacity_for(const CurveContext& context, const Objective& objective, std::size_t index) {
  const std::span<const LevelResult> levels = context.levels;
  Capacity capacity;
  capacity.kind = context.kind;
  capacity.binding_objective = index;
  capacity.interpolated = interpolated_of(levels, objective);
  const std::vector<CrossingRow> rows = rows_of(levels, index);
  bool has_percentile = false;
  for (const LevelResult& level : levels) has_percentile = has_percentile || p99_ms(level, objective.metric);
  if (rows.empty() && !has_percentile) return std::nullopt;

  const std::optional<CrossingEstimate> crossing = crossing_of(rows, context.kind, objective.percentile);
  capacity.crossing = crossing_kind(levels, objective, index, crossing);
  const bool is_bracketed = capacity.crossing == Crossing::bracketed;
  show_bracket(levels, index, crossing && is_bracketed ? crossing->load.value : 0, capacity);
  if (!is_bracketed) {
    const bool is_below = capacity.crossing == Crossing::below_first_level;
    bound_by_level(is_below ? levels.front() : levels.back(), is_below, capacity);
  } else if (crossing) {
    fill_estimate(rows, *crossing, context.mean, capacity);
  } else if (capacity.interpolated) {
    capacity.load.value = capacity.interpolated->load;
    capacity.requests_per_s.value = capacity.interpolated->requests_per_s;
    capacity.output_tokens_per_s.value = capacity.interpolated->output_tokens_per_s;
  }
  return capacity;
}

// A capacity known only from below binds only where no other is known better.
bool binds_more(const Capacity& a, const Capacity& b) {
  const bool a_is_open_ended = a.crossing == Crossing::above_last_level, b_is_open_ended = b.crossing == Crossing::above_last_level;
  if (a_is_open_ended != b_is_open_ended) return b_is_open_ended;
  return a.load.value < b.load.value;
}

std::optional<Capacity> capacity_of_kind(const std::vector<LevelResult>& all, LevelKind kind, const std::vector<Objective>& objectives,
                                         std::optional<double> workload_mean) {
  const std::vector<LevelResult> levels = levels_of(all, kind);
  if (levels.empty()) return std::nullopt;
  CurveContext context{levels, kind, workload_mean ? MeanCompletion{*workload_mean, 0} : measured_mean(levels)};
  std::optional<Capacity> tightest;
  for (std::size_t i = 0; i < objectives.size(); ++i) {
    const std::optional<Capacity> capacity = capacity_for(context, objectives[i], i);
    if (capacity && (!tightest || binds_more(*capacity, *tightest))) tightest = capacity;
  }
  return tightest;
}

// Of the closed levels where there are any: one curve, one kind.
std::optional<Peak> peak_of(const std::vector<LevelResult>& all, const std::vector<Objective>& objectives) {
  std::vector<LevelResult> levels = levels_of(all, LevelKind::concurrency);
  if (levels.empty()) levels = levels_of(all, LevelKind::request_rate);
  if (levels.empty()) return std::nullopt;
  const LevelResult& level = *std::ranges::max_element(levels, {}, &LevelResult::aggregate_output_tokens_per_s);
  if (level.aggregate_output_tokens_per_s <= 0) return std::nullopt;
  Peak peak{level.aggregate_output_tokens_per_s, level.level.target, level.ordinal, std::nullopt, std::nullopt};
  const auto objective = std::ranges::find_if(objectives, [](const Objective& o) { return o.metric != Latency::itl; });
  if (objective == objectives.end()) return peak;
  const std::optional<double> p99 = p99_ms(level, objective->metric);
  if (!p99 || std::isinf(*p99)) return peak;
  peak.p99_ms = p99;
  peak.slo_multiple = *p99 / milliseconds(objective->limit);
  return peak;
}

}  // namespace

Curve make_curve(const std::vector<LevelResult>& levels, const std::vector<Objective>& objectives,
                 std::optional<double> workload_mean_completion) {
  Curve curve;
  curve.closed = capacity_of_kind(levels, LevelKind::concurrency, objectives, workload_mean_completion);
  curve.open = capacity_of_kind(levels, LevelKind::request_rate, objectives, workload_mean_completion);
  curve.peak = peak_of(levels, objectives);
  return curve;
}

}  // namespace loadline
