#include "curve/operating_point.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include "curve/capacity_estimate.h"
#include "curve/crossing_estimate.h"
#include "curve/curve_rows.h"
#include "curve/level_p99.h"

namespace loadline {
namespace {

constexpr double close_to_an_end = 0.05;

// Rows imported without requests have no verdict: the percentile itself decides.
enum class Side : std::uint8_t { under, over, undecided };

Side side_of(const LevelResult& level, std::size_t index, const Objective& objective) {
  if (is_over(level, index)) return Side::over;
  if (is_under(level, index)) return Side::under;
  if (index < level.objectives.size() && level.objectives[index].n > 0) return Side::undecided;
  const std::optional<double> value = percentile_ms(level, index, objective);
  if (!value) return Side::undecided;
  return *value > milliseconds(objective.limit) ? Side::over : Side::under;
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
  const auto is_close = [&](const std::optional<double>& end) {
    return end && std::abs(std::log(load / *end)) <= close_to_an_end;
  };
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

// What a level that bounds the capacity carried, where that was measured. In an open loop the capacity is a rate of
// arrival, known of every level.
std::optional<double> carried_requests(const LevelResult& level) {
  if (level.level.kind == LevelKind::request_rate) return level.level.target;
  return level.completed_requests_per_s > 0 ? std::optional(level.completed_requests_per_s) : std::nullopt;
}

std::optional<double> carried_tokens(const LevelResult& level) {
  const bool is_known = level.tokens_counted && level.aggregate_output_tokens_per_s > 0;
  return is_known ? std::optional(level.aggregate_output_tokens_per_s) : std::nullopt;
}

// Only one end of a capacity is known, or none: it lies below the first level, or not below the highest that is under.
void bound_by_level(const LevelResult& level, bool is_upper, Capacity& capacity) {
  const auto bounded = [&](std::optional<double> end) {
    return is_upper ? Estimate{end.value_or(0), std::nullopt, end} : Estimate{end.value_or(0), end, std::nullopt};
  };
  capacity.load = bounded(level.level.target);
  capacity.requests_per_s = bounded(carried_requests(level));
  capacity.output_tokens_per_s = bounded(carried_tokens(level));
}

void fill_estimate(std::span<const CrossingRow> rows, const CrossingEstimate& crossing, const MeanCompletion& mean,
                   Capacity& capacity) {
  capacity.load = crossing.load;
  capacity.slope_below = crossing.slope_below;
  capacity.slope_above = crossing.slope_above;
  capacity.levels_near = crossing.near;
  const Carried carried = carried_at(rows, capacity.kind, crossing.load, mean);
  capacity.requests_per_s = carried.requests_per_s.value_or(Estimate{});
  capacity.output_tokens_per_s = carried.output_tokens_per_s.value_or(Estimate{});
  capacity.estimate_exists = carried.requests_per_s.has_value();
}

struct CurveContext {
  std::span<const LevelResult> levels;  // of one kind, by load
  LevelKind kind;
  MeanCompletion mean;
};

// The levels of one objective, and what their verdicts say of where it is crossed.
struct Sides {
  bool lowest_is_over = false, any_over = false;
  // Requests tell where verdicts do not: at one load no more than allowed are above the limit, at a higher one more.
  bool shares_bracket = false;
  const LevelResult* highest_under = nullptr;
};

Sides sides_of(std::span<const LevelResult> levels, std::size_t index, const Objective& objective) {
  Sides sides;
  sides.lowest_is_over = true;
  bool any_low = false;
  for (const LevelResult& level : levels) {
    const Side side = side_of(level, index, objective);
    if (level.level.target == levels.front().level.target)
      sides.lowest_is_over = sides.lowest_is_over && side == Side::over;
    sides.any_over = sides.any_over || side == Side::over;
    if (side == Side::under) sides.highest_under = &level;
    // A ramp of few requests ends far above; rates are tried in steps so small that any excess counts.
    const bool is_open = level.level.kind == LevelKind::request_rate;
    const bool is_high = has_too_many_above(level, index, is_open ? 1 : far_above);
    sides.shares_bracket = sides.shares_bracket || (is_high && any_low);
    any_low = any_low || (side != Side::over && !has_too_many_above(level, index, 1));
  }
  return sides;
}

Crossing crossing_kind(const Sides& sides, double highest, const std::optional<CrossingEstimate>& crossing) {
  if (sides.lowest_is_over) return Crossing::below_first_level;
  const bool ends_below = crossing && crossing->load.high && *crossing->load.high < highest;
  if (!sides.any_over && !(sides.highest_under && ends_below) && !(crossing && sides.shares_bracket))
    return Crossing::above_last_level;
  return Crossing::bracketed;
}

// A level that judged no request by this objective tells nothing of it, not even by being the lowest.
std::vector<LevelResult> telling_levels(std::span<const LevelResult> levels, const Objective& objective,
                                        std::size_t index) {
  std::vector<LevelResult> telling;
  std::ranges::copy_if(levels, std::back_inserter(telling), [&](const LevelResult& level) {
    const bool is_judged = index < level.objectives.size() && level.objectives[index].n > 0;
    return level.level.target > 0 && (is_judged || percentile_ms(level, index, objective));
  });
  return telling;
}

std::optional<Capacity> capacity_for(const CurveContext& context, const Objective& objective, std::size_t index) {
  const std::vector<LevelResult> levels = telling_levels(context.levels, objective, index);
  if (levels.empty()) return std::nullopt;
  Capacity capacity;
  capacity.kind = context.kind;
  capacity.binding_objective = index;
  capacity.interpolated = interpolated_of(levels, objective, index);
  const std::vector<CrossingRow> rows = rows_of(levels, index);
  const double lowest = levels.front().level.target, highest = levels.back().level.target;
  std::optional<CrossingEstimate> crossing = crossing_of(rows, context.kind, objective.percentile);
  const bool is_inside = crossing && crossing->load.value >= lowest && crossing->load.value <= highest;
  if (!is_inside) crossing.reset();
  const Sides sides = sides_of(levels, index, objective);
  capacity.crossing = crossing_kind(sides, highest, crossing);
  const bool is_bracketed = capacity.crossing == Crossing::bracketed;
  show_bracket(levels, index, crossing && is_bracketed ? crossing->load.value : 0, capacity);
  if (capacity.crossing == Crossing::below_first_level) {
    bound_by_level(levels.front(), true, capacity);
  } else if (capacity.crossing == Crossing::above_last_level) {
    if (sides.highest_under) bound_by_level(*sides.highest_under, false, capacity);
  } else if (crossing) {
    fill_estimate(rows, *crossing, context.mean, capacity);
  } else if (capacity.interpolated) {
    capacity.load.value = capacity.interpolated->load;
    capacity.requests_per_s.value = capacity.interpolated->requests_per_s;
    capacity.output_tokens_per_s.value = capacity.interpolated->output_tokens_per_s;
  }
  return capacity;
}

// A capacity known only from below, or not at all, binds only where no other is known better.
bool is_open_ended(const Capacity& capacity) {
  return capacity.crossing == Crossing::above_last_level || capacity.load.value <= 0;
}

bool binds_more(const Capacity& a, const Capacity& b) {
  const bool a_is_open_ended = is_open_ended(a), b_is_open_ended = is_open_ended(b);
  if (a_is_open_ended != b_is_open_ended) return b_is_open_ended;
  return a.load.value < b.load.value;
}

std::optional<Capacity> capacity_of_kind(const std::vector<LevelResult>& all, LevelKind kind,
                                         const std::vector<Objective>& objectives,
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
  std::erase_if(levels, [](const LevelResult& one) { return !one.tokens_counted; });
  if (levels.empty()) return std::nullopt;
  const LevelResult& level = *std::ranges::max_element(levels, {}, &LevelResult::aggregate_output_tokens_per_s);
  if (level.aggregate_output_tokens_per_s <= 0) return std::nullopt;
  Peak peak{level.aggregate_output_tokens_per_s, level.level.target, level.ordinal, std::nullopt, std::nullopt};
  const auto objective =
      std::ranges::find_if(objectives, [](const Objective& o) { return o.metric != Latency::itl && is_p99_of_all(o); });
  if (objective == objectives.end()) return peak;
  const auto index = static_cast<std::size_t>(objective - objectives.begin());
  const std::optional<double> p99 = percentile_ms(level, index, *objective);
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
