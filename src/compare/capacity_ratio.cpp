#include "compare/capacity_ratio.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "compare/ratio.h"
#include "core/random.h"

namespace loadline {
namespace {

/// A draw makes both curves anew, some hundredths of a second for long ones. The error is then known to about 7%.
constexpr std::uint32_t most_curve_draws = 100;

const std::optional<Capacity>& capacity_of(const Curve& curve, LevelKind kind) {
  return kind == LevelKind::concurrency ? curve.closed : curve.open;
}

std::optional<double> estimate_of(const std::optional<Capacity>& capacity) {
  if (!capacity || !capacity->estimate_exists || !(capacity->requests_per_s.value > 0)) return std::nullopt;
  return capacity->requests_per_s.value;
}

std::optional<double> limit_passed(const RequestSeen& request, const Objective& objective) {
  const double limit = milliseconds(objective.limit);
  const auto above = [&](const std::optional<double>& ms) {
    return ms ? std::optional(*ms > limit ? 1.0 : 0.0) : std::nullopt;
  };
  if (objective.metric == Latency::ttft) return above(request.ttft_ms);
  if (objective.metric == Latency::tpot) return above(request.tpot_ms);
  if (objective.metric == Latency::e2e) return above(request.e2e_ms);
  return std::nullopt;  // gaps are no property of a request
}

/// Where the drawn line of the pass crosses: in an open loop the rate itself.
std::optional<double> crossing_of_line(const std::optional<Capacity>& capacity) {
  if (!capacity || !capacity->interpolated) return std::nullopt;
  const Interpolated& line = *capacity->interpolated;
  const double rate = capacity->kind == LevelKind::request_rate ? line.load : line.requests_per_s;
  return rate > 0 ? std::optional(rate) : std::nullopt;
}

using CapacityRead = std::optional<double> (*)(const std::optional<Capacity>&);

/// Passes that have a capacity on both sides, as `read` finds it.
std::vector<std::pair<double, double>> capacities_of_passes(LevelKind kind, const RunReport& a, const RunReport& b,
                                                            CapacityRead read) {
  std::vector<std::pair<double, double>> pairs;
  for (const PassCapacity& of_a : a.sweep.passes) {
    const auto of_b = std::ranges::find(b.sweep.passes, of_a.pass, &PassCapacity::pass);
    if (of_b == b.sweep.passes.end()) continue;
    const bool closed = kind == LevelKind::concurrency;
    const std::optional<double> value_a = read(closed ? of_a.closed : of_a.open);
    const std::optional<double> value_b = read(closed ? of_b->closed : of_b->open);
    if (value_a && value_b) pairs.emplace_back(*value_a, *value_b);
  }
  return pairs;
}

/// Both sides measure the same requests, so that what chance does to one line it does to the other, and their ratio is
/// far better known than either. The estimate that a capacity is reported by weighs counts of a few slow requests,
/// which chance moves in jumps: it serves where some pass has no line that crosses.
std::vector<std::pair<double, double>> paired_capacities(LevelKind kind, const RunReport& a, const RunReport& b) {
  std::vector<std::pair<double, double>> lines = capacities_of_passes(kind, a, b, crossing_of_line);
  std::vector<std::pair<double, double>> estimates = capacities_of_passes(kind, a, b, estimate_of);
  return lines.size() >= estimates.size() ? lines : estimates;
}

BatchSums sum_of(const std::vector<BatchSums>& batches, std::span<const std::size_t> drawn) {
  BatchSums sum;
  sum.above.resize(batches.front().above.size());
  for (const std::size_t index : drawn) {
    const BatchSums& batch = batches[index];
    sum.requests += batch.requests;
    sum.residence_ms += batch.residence_ms;
    for (std::size_t i = 0; i < sum.above.size(); ++i) sum.above[i] += batch.above[i];
  }
  return sum;
}

std::vector<std::size_t> all_of(std::size_t count) {
  std::vector<std::size_t> indices(count);
  for (std::size_t i = 0; i < count; ++i) indices[i] = i;
  return indices;
}

/// The level as it would have come out had these batches been measured.
void draw_again(const LevelBatches& of_level, std::span<const std::size_t> drawn, std::vector<LevelResult>& levels) {
  LevelResult& level = levels[of_level.place];
  const BatchSums whole = sum_of(of_level.batches, all_of(of_level.batches.size()));
  const BatchSums sum = sum_of(of_level.batches, drawn);
  if (sum.requests <= 0 || sum.residence_ms <= 0) return;
  for (std::size_t i = 0; i < std::min(sum.above.size(), level.objectives.size()); ++i) {
    ObjectiveResult& objective = level.objectives[i];
    const double change = sum.above[i] / sum.requests - whole.above[i] / whole.requests;
    const double above = static_cast<double>(objective.above) + change * static_cast<double>(objective.n);
    objective.above =
        static_cast<std::uint64_t>(std::llround(std::clamp(above, 0.0, static_cast<double>(objective.n))));
  }
  if (level.level.kind != LevelKind::concurrency) return;
  const double faster = (whole.residence_ms / whole.requests) / (sum.residence_ms / sum.requests);
  level.aggregate_output_tokens_per_s *= faster;
  level.completed_requests_per_s *= faster;
}

/// ln(B/A) of the capacities of one draw.
std::optional<double> drawn_ratio(LevelKind kind, const RunReport& a, const RunReport& b,
                                  std::span<const CurveLevel> levels, const CurveOf& curve_a, const CurveOf& curve_b,
                                  Random& random) {
  std::vector<LevelResult> of_a = a.levels, of_b = b.levels;
  for (const CurveLevel& level : levels) {
    const std::size_t batches = level.a ? level.a->batches.size() : level.b->batches.size();
    std::vector<std::size_t> drawn(batches);
    for (std::size_t& index : drawn) index = static_cast<std::size_t>(random.below(batches));
    if (level.a) draw_again(*level.a, drawn, of_a);
    if (level.b) draw_again(*level.b, drawn, of_b);
  }
  const std::optional<double> value_a = estimate_of(capacity_of(curve_a(of_a), kind));
  const std::optional<double> value_b = estimate_of(capacity_of(curve_b(of_b), kind));
  if (!value_a || !value_b) return std::nullopt;
  return std::log(*value_b) - std::log(*value_a);
}

/// Standard error of ln(B/A) over the draws, for the batches of the levels, which are all drawn at once.
std::optional<double> error_of_draws(LevelKind kind, const RunReport& a, const RunReport& b,
                                     std::span<const CurveLevel> levels, const CurveOf& curve_a, const CurveOf& curve_b,
                                     std::size_t batches, const BootstrapSettings& settings) {
  Random random(settings.seed);
  const auto statistic = [&](std::span<const std::size_t>) {
    return drawn_ratio(kind, a, b, levels, curve_a, curve_b, random);
  };
  return bootstrap_error(batches, statistic, settings.seed, std::min(settings.resamples, most_curve_draws));
}

}  // namespace

LevelBatches batches_of_level(std::size_t place, std::span<const RequestSeen> requests,
                              const std::vector<Objective>& objectives) {
  LevelBatches result{place, {}};
  for (const RequestRange& batch : batches_of(requests.size())) {
    BatchSums& sums = result.batches.emplace_back();
    sums.above.resize(objectives.size());
    for (std::size_t i = batch.begin; i < batch.end; ++i) {
      sums.requests += 1;
      sums.residence_ms += requests[i].residence_ms;
      for (std::size_t j = 0; j < objectives.size(); ++j) {
        sums.above[j] += limit_passed(requests[i], objectives[j]).value_or(0);
      }
    }
  }
  return result;
}

Ratio capacity_ratio(LevelKind kind, const RunReport& a, const RunReport& b, std::span<const CurveLevel> levels,
                     const CurveOf& curve_a, const CurveOf& curve_b, const BootstrapSettings& settings) {
  Ratio ratio;
  ratio.metric = kind == LevelKind::concurrency ? RatioMetric::capacity_closed : RatioMetric::capacity_open;
  const std::vector<std::pair<double, double>> pairs = paired_capacities(kind, a, b);
  const auto set = [&](const LogRatio& found, RatioMethod method, std::size_t n) {
    ratio.b_over_a = found.ratio();
    ratio.method = method;
    ratio.n = static_cast<std::uint32_t>(n);
    ratio.verdict = verdict_of(*ratio.b_over_a, true);
  };
  ratio.a = estimate_of(capacity_of(a.curve, kind));
  ratio.b = estimate_of(capacity_of(b.curve, kind));
  if (const std::optional<LogRatio> of_pairs = ratio_of_pairs(pairs)) {
    set(*of_pairs, RatioMethod::student_pairs, pairs.size());
    return ratio;
  }
  if (!ratio.a || !ratio.b) {
    ratio.absence = a.objectives.empty() ? "the runs have no objective, so there is no operating point; give --slo"
                    : !ratio.a           ? "A has no capacity: its levels do not bracket the objective"
                                         : "B has no capacity: its levels do not bracket the objective";
    return ratio;
  }
  ratio.b_over_a = Estimate{*ratio.b / *ratio.a, std::nullopt, std::nullopt};
  // Gaps are no property of a request, and what is drawn again are the requests of all classes.
  const bool cannot_be_drawn = std::ranges::any_of(
      a.objectives, [](const Objective& o) { return o.metric == Latency::itl || o.of.has_value(); });
  std::size_t batches = 0, fewest = 0;
  for (const CurveLevel& level : levels) {
    const std::size_t count = level.a ? level.a->batches.size() : level.b->batches.size();
    batches += count;
    fewest = fewest == 0 ? count : std::min(fewest, count);
  }
  const std::optional<double> error = cannot_be_drawn || fewest == 0
                                          ? std::nullopt
                                          : error_of_draws(kind, a, b, levels, curve_a, curve_b, fewest, settings);
  if (error) {
    set(ratio_of_batches(std::log(*ratio.b / *ratio.a), *error, fewest), RatioMethod::paired_batches, batches);
  } else {
    ratio.absence =
        "no interval: the capacities lie too close to the ends of their levels, or the levels are too short; measure 4 pairs of passes (--repeats 4)";
  }
  return ratio;
}

}  // namespace loadline
