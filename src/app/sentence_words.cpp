#include "app/sentence_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/labels.h"
#include "report/number_words.h"

namespace loadline {
namespace {

/// The arrivals of the levels of that kind, as a user says it.
std::string arrivals_text(const RunReport& report) {
  const auto open =
      std::ranges::find(report.levels, LevelKind::request_rate, [](const LevelResult& r) { return r.level.kind; });
  if (open == report.levels.end()) return "Poisson arrivals at";
  switch (open->level.arrivals) {
    case Arrivals::constant:
      return "arrivals at a constant";
    case Arrivals::gamma:
      return fmt::format("gamma arrivals of shape {:g} at", open->level.burstiness);
    case Arrivals::trace:
      return "the log's own arrivals at";
    default:
      return "Poisson arrivals at";
  }
}

}  // namespace

std::string objectives_text(const RunReport& report) {
  std::vector<std::string> texts;
  for (const Objective& objective : report.objectives) texts.push_back(objective_label(objective));
  return fmt::format("{}", fmt::join(texts, " and "));
}

std::string interval_text(const Estimate& estimate) {
  if (estimate.low && estimate.high)
    return fmt::format("{} to {}", figure_number(*estimate.low), figure_number(*estimate.high));
  if (estimate.low) return fmt::format("at least {}", figure_number(*estimate.low));
  if (estimate.high) return fmt::format("less than {}", figure_number(*estimate.high));
  return figure_number(estimate.value);
}

std::string load_text(const RunReport& report, LevelKind kind, double load) {
  if (kind == LevelKind::request_rate)
    return fmt::format("{} {} requests/s", arrivals_text(report), figure_number(load));
  const bool one = std::round(load) == 1;
  return fmt::format("{} user{} who wait{} for each answer", figure_setting(std::round(load)), one ? "" : "s",
                     one ? "s" : "");
}

}  // namespace loadline
