#include "curve/level_p99.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace loadline {

std::vector<LevelResult> levels_of(const std::vector<LevelResult>& levels, LevelKind kind) {
  std::vector<LevelResult> chosen;
  std::ranges::copy_if(levels, std::back_inserter(chosen),
                       [&](const LevelResult& level) { return level.level.kind == kind; });
  std::ranges::stable_sort(chosen, {}, [](const LevelResult& level) { return level.level.target; });
  return chosen;
}

std::optional<double> p99_ms(const LevelResult& level, Latency metric) {
  if (level.stability == Stability::saturated) return infinite;
  const LatencySummary& summary = latency_of(level, metric);
  if (summary.p99_failures_as_infinite) return summary.p99_failures_as_infinite;
  if (summary.n_all > 0) return infinite;
  // An imported row may hold the plain p99 alone.
  return summary.p99;
}

namespace {

// What the level knows of the objective's own percentile; null where only its summaries tell.
const ObjectiveResult* judged_percentile(const LevelResult& level, std::size_t index) {
  const bool is_known = index < level.objectives.size() && level.objectives[index].n_eff;
  return is_known ? &level.objectives[index] : nullptr;
}

}  // namespace

std::optional<double> percentile_ms(const LevelResult& level, std::size_t index, const Objective& objective) {
  if (level.stability == Stability::saturated) return infinite;
  if (const ObjectiveResult* judged = judged_percentile(level, index)) return judged->value_ms.value_or(infinite);
  return is_p99_of_all(objective) ? p99_ms(level, objective.metric) : std::nullopt;
}

double percentile_n_eff(const LevelResult& level, std::size_t index, const Objective& objective) {
  if (const ObjectiveResult* judged = judged_percentile(level, index)) return *judged->n_eff;
  return latency_of(level, objective.metric).n_eff.value_or(1);
}

bool has_too_many_above(const LevelResult& level, std::size_t index, double times) {
  if (level.stability == Stability::saturated) return true;
  if (index >= level.objectives.size()) return false;
  const ObjectiveResult& one = level.objectives[index];
  return static_cast<double>(one.above) > times * (1 - one.objective.percentile) * static_cast<double>(one.n);
}

bool is_over(const LevelResult& level, std::size_t index) {
  if (level.stability == Stability::saturated) return true;
  return index < level.objectives.size() && level.objectives[index].verdict == Verdict::over;
}

bool is_under(const LevelResult& level, std::size_t index) {
  return level.stability != Stability::saturated && index < level.objectives.size() &&
         level.objectives[index].verdict == Verdict::under;
}

}  // namespace loadline
