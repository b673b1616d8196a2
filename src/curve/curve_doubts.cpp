#include <fmt/format.h>

#include <set>

#include "curve/level_p99.h"
#include "curve/operating_point.h"

namespace loadline {
namespace {

constexpr std::size_t wanted_loads = 8;

void doubt_crossing(const std::optional<Capacity>& capacity, std::vector<Doubt>& doubts) {
  if (!capacity || capacity->crossing == Crossing::bracketed) return;
  const std::string_view loop = capacity->kind == LevelKind::concurrency ? "users" : "requests/s";
  const bool is_below = capacity->crossing == Crossing::below_first_level;
  doubts.push_back(make_doubt("not_bracketed", std::nullopt,
      is_below ? fmt::format("The lowest load, {:g} {}, is over the objective already: capacity is below {:.3g} requests/s.",
                             capacity->load.value, loop, capacity->requests_per_s.value)
               : fmt::format("No load is over the objective, up to {:g} {}: capacity is at least {:.3g} requests/s.",
                             capacity->load.value, loop, capacity->requests_per_s.value)));
}

void doubt_order(const std::vector<LevelResult>& levels, Latency metric, std::vector<Doubt>& doubts) {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const std::optional<double> low = summary_of(levels[i], metric).p99_low;
    if (!low) continue;
    for (std::size_t j = i + 1; j < levels.size(); ++j) {
      const std::optional<double> high = summary_of(levels[j], metric).p99_high;
      if (levels[j].level.target <= levels[i].level.target || !high || *high >= *low) continue;
      doubts.push_back(make_doubt("not_monotone", std::nullopt,
          fmt::format("p99 of {} is at least {:.4g} ms at {:g} and at most {:.4g} ms at the higher load {:g}.", name(metric), *low,
                      levels[i].level.target, *high, levels[j].level.target)));
      return;
    }
  }
}

}  // namespace

std::vector<Doubt> curve_doubts(const std::vector<LevelResult>& levels, const Curve& curve, const std::vector<Objective>& objectives) {
  std::vector<Doubt> doubts;
  const Latency metric = objectives.empty() ? Latency::ttft : objectives.front().metric;
  for (const LevelKind kind : {LevelKind::concurrency, LevelKind::request_rate}) {
    const std::vector<LevelResult> chosen = levels_of(levels, kind);
    std::set<double> loads;
    for (const LevelResult& level : chosen) loads.insert(level.level.target);
    if (!loads.empty() && loads.size() < wanted_loads && (kind == LevelKind::concurrency || !curve.closed)) {
      doubts.push_back(make_doubt("few_levels", std::nullopt, fmt::format("The curve has {} levels; {} are wanted.", loads.size(), wanted_loads)));
    }
    doubt_order(chosen, metric, doubts);
  }
  doubt_crossing(curve.closed, doubts);
  doubt_crossing(curve.open, doubts);
  return doubts;
}

}  // namespace loadline
