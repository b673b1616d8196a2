#include "app/decision_sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/sentence_words.h"
#include "report/number_words.h"

namespace loadline {
namespace {

// A load that carries this share of the most is on the plateau: more of it only makes answers slower.
constexpr double share_of_plateau = 0.97;

/// The level whose load is nearest in ratio; the lowest of the kind where there is no operating point to be near to.
const LevelResult* level_at_point(const RunReport& report) {
  const LevelResult* nearest = nullptr;
  double least = 0;
  for (const LevelResult& level : report.levels) {
    if (level.level.target <= 0 || !level.user_rate.p50) continue;
    if (report.operating_point && level.level.kind != report.operating_point->kind) continue;
    const bool has_point = report.operating_point && report.operating_point->load.value > 0;
    const double distance =
        has_point ? std::abs(std::log(level.level.target / report.operating_point->load.value)) : level.level.target;
    if (nearest != nullptr && distance >= least) continue;
    nearest = &level;
    least = distance;
  }
  return nearest;
}

std::string milliseconds_text(const std::optional<double>& ms) {
  return ms ? figure_number(*ms) + " ms" : std::string("unknown");
}

/// The lowest load of the peak's kind that carries nearly as much as the peak.
const LevelResult* start_of_plateau(const RunReport& report, const LevelResult& peak) {
  const LevelResult* start = &peak;
  for (const LevelResult& level : report.levels) {
    const std::optional<double> tokens = level.known_output_tokens_per_s();
    if (level.level.kind != peak.level.kind || !tokens || level.level.target >= start->level.target) continue;
    if (*tokens >= share_of_plateau * peak.aggregate_output_tokens_per_s) start = &level;
  }
  return start;
}

}  // namespace

std::string interactive_sentence(const RunReport& report) {
  const LevelResult* level = level_at_point(report);
  if (level == nullptr) return "What one user sees is unknown: no level has times of tokens.";
  return fmt::format(
      "At {}{} a user sees {} tokens/s in the median and the slow tenth {} or less, after a TTFT of {} (p50) and {} (p99).",
      load_text(report, level->level.kind, level->level.target),
      report.operating_point && report.operating_point->load.value > 0 ? ", the level nearest to the operating point,"
                                                                       : "",
      figure_number(level->user_rate.p50), figure_number(level->user_rate.p10), milliseconds_text(level->ttft_ms.p50),
      milliseconds_text(level->ttft_ms.p99_failures_as_infinite));
}

std::string batch_sentence(const RunReport& report) {
  if (!report.curve.peak) return "The most output is unknown: no level counted tokens.";
  const auto found = std::ranges::find(report.levels, report.curve.peak->ordinal, &LevelResult::ordinal);
  if (found == report.levels.end()) return "The most output is unknown: its level is missing.";
  const LevelResult& peak = *found;
  const LevelResult* start = start_of_plateau(report, peak);
  std::string text = fmt::format("At most {} output tokens/s, with {}",
                                 figure_number(report.curve.peak->aggregate_output_tokens_per_s),
                                 load_text(report, peak.level.kind, peak.level.target));
  if (start != &peak) {
    text += fmt::format(" ({:.0f}% of that already with {})", 100 * share_of_plateau,
                        load_text(report, start->level.kind, start->level.target));
  }
  text += fmt::format("; answers took {} there in the median and {} at p99.", milliseconds_text(peak.e2e_ms.p50),
                      milliseconds_text(peak.e2e_ms.p99_failures_as_infinite));
  if (report.sizing.cost_per_million_output_tokens) {
    text +=
        fmt::format(" A million output tokens cost {}.", figure_number(*report.sizing.cost_per_million_output_tokens));
  }
  return text;
}

std::string one_run_alone() {
  return "One run alone compares nothing: `loadline compare` with a second one gives the ratio of their capacities. This "
         "one:";
}

}  // namespace loadline
