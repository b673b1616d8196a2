#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>

#include "curve/hysteresis.h"
#include "curve/level_p99.h"
#include "curve/operating_point.h"

namespace loadline {
namespace {

constexpr std::size_t wanted_loads = 8;

// Levels of the capacity's kind that were judged by its objective, and of these the undecided.
struct JudgedLevels {
  std::size_t levels = 0, open = 0;
};

JudgedLevels count_judged(const std::vector<LevelResult>& levels, const Capacity& capacity) {
  JudgedLevels judged;
  for (const LevelResult& level : levels_of(levels, capacity.kind)) {
    if (capacity.binding_objective >= level.objectives.size()) continue;
    ++judged.levels;
    if (!is_over(level, capacity.binding_objective) && !is_under(level, capacity.binding_objective)) ++judged.open;
  }
  return judged;
}

std::string crossing_words(const Capacity& capacity) {
  const std::string_view loop = capacity.kind == LevelKind::concurrency ? "users" : "requests/s";
  const Estimate& rate = capacity.requests_per_s;
  if (capacity.crossing == Crossing::bracketed)
    return "The levels do not tell between which loads the objective is crossed.";
  if (capacity.crossing == Crossing::below_first_level) {
    return fmt::format("The lowest load, {:g} {}, is over the objective already: {}.", capacity.load.value, loop,
                       rate.high ? fmt::format("capacity is below {:.3g} requests/s", *rate.high)
                                 : "how much it carries was not measured, so that capacity has no upper end");
  }
  if (!rate.low) return "No load is over the objective and none is under it: capacity has no lower end.";
  return fmt::format("No load is over the objective; {:g} {} are under it: capacity is at least {:.3g} requests/s.",
                     capacity.load.value, loop, *rate.low);
}

void doubt_crossing(const std::vector<LevelResult>& levels, const std::optional<Capacity>& capacity,
                    std::vector<Doubt>& doubts) {
  if (!capacity) return;
  const JudgedLevels judged = count_judged(levels, *capacity);
  // Imported rows have no verdicts and their drawn line brackets by itself.
  const bool has_answer = capacity->estimate_exists || (judged.levels == 0 && capacity->interpolated);
  if (capacity->crossing == Crossing::bracketed && has_answer) return;
  std::string text = crossing_words(*capacity);
  if (judged.open > 0) text += fmt::format(" Undecided: {} of {} levels.", judged.open, judged.levels);
  doubts.push_back(make_doubt("not_bracketed", std::nullopt, std::move(text)));
}

void doubt_hysteresis(const std::vector<LevelResult>& levels, std::vector<Doubt>& doubts) {
  std::vector<std::string> differences;
  for (const UpAndDown& row : compare_up_and_down(levels)) {
    if (!row.difference.empty()) differences.push_back(fmt::format("at {:g} {}", row.load, row.difference));
  }
  if (differences.empty()) return;
  doubts.push_back(
      make_doubt("hysteresis", std::nullopt,
                 fmt::format("The same load answers differently on the way down: {}.", fmt::join(differences, "; "))));
}

// Visits lie so close together, and are so many, that some pair of them is out of order by chance.
std::vector<LevelResult> without_visits(std::vector<LevelResult> levels) {
  std::erase_if(levels, [](const LevelResult& one) { return one.level.purpose == LevelPurpose::visit; });
  return levels;
}

void doubt_order(const std::vector<LevelResult>& levels, Latency metric, std::vector<Doubt>& doubts) {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const std::optional<double> low = latency_of(levels[i], metric).p99_low;
    if (!low) continue;
    for (std::size_t j = i + 1; j < levels.size(); ++j) {
      const std::optional<double> high = latency_of(levels[j], metric).p99_high;
      if (levels[j].level.target <= levels[i].level.target || !high || *high >= *low) continue;
      doubts.push_back(make_doubt(
          "not_monotone", std::nullopt,
          fmt::format("p99 of {} is at least {:.4g} ms at {:g} and at most {:.4g} ms at the higher load {:g}.",
                      name(metric), *low, levels[i].level.target, *high, levels[j].level.target)));
      return;
    }
  }
}

}  // namespace

std::vector<Doubt> curve_doubts(const std::vector<LevelResult>& levels, const Curve& curve,
                                const std::vector<Objective>& objectives) {
  std::vector<Doubt> doubts;
  const Latency metric = objectives.empty() ? Latency::ttft : objectives.front().metric;
  for (const LevelKind kind : {LevelKind::concurrency, LevelKind::request_rate}) {
    const std::vector<LevelResult> chosen = levels_of(levels, kind);
    std::set<double> loads;
    for (const LevelResult& level : chosen) loads.insert(level.level.target);
    if (!loads.empty() && loads.size() < wanted_loads && (kind == LevelKind::concurrency || !curve.closed)) {
      doubts.push_back(make_doubt("few_levels", std::nullopt,
                                  fmt::format("The curve has {} levels; {} are wanted.", loads.size(), wanted_loads)));
    }
    doubt_order(without_visits(chosen), metric, doubts);
  }
  doubt_hysteresis(levels, doubts);
  doubt_crossing(levels, curve.closed, doubts);
  doubt_crossing(levels, curve.open, doubts);
  return doubts;
}

}  // namespace loadline
