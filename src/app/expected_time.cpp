#include "app/expected_time.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/number_words.h"

namespace loadline {
namespace {

std::string minutes(double engine_s, double engine_speed) {
  std::string words = engine_s < 120 ? fmt::format("{} s", figure_number(engine_s))
                                     : fmt::format("{} min", figure_number(engine_s / 60));
  if (engine_speed != 1)
    words += fmt::format(" of engine time ({} s on the wall)", figure_number(engine_s / engine_speed));
  return words;
}

std::string repeated(const RunSettings& settings) {
  return settings.repeats > 1 ? fmt::format(", {} times", settings.repeats) : "";
}

std::string chosen_words(const RunSettings& settings, double engine_speed) {
  const SweepGoal& goal = settings.goal;
  const double repeats = settings.repeats;
  std::string words =
      fmt::format("at most about {} for the levels in users", minutes(repeats * goal.closed_budget_s, engine_speed));
  if (goal.open)
    words += fmt::format(", then at most about {} for the rates", minutes(repeats * goal.open_budget_s, engine_speed));
  return words + "; --budget sets it";
}

std::string listed_words(const RunSettings& settings, double engine_speed) {
  const LevelRules& rules = settings.rules;
  const std::size_t levels = settings.levels.size() * (settings.goal.up_and_down ? 2 : 1);
  const double warmup_s = rules.warmup_requests ? 0 : seconds(rules.warmup_min);
  std::string words;
  if (rules.num_prompts) {
    words = fmt::format("{} levels of {} measured requests each{}: as long as the target needs for them", levels,
                        figure_count(std::uint64_t{*rules.num_prompts}), repeated(settings));
  } else {
    const Nanos longest = rules.duration.value_or(rules.max_duration);
    words = fmt::format("{} levels{}: {} {} measured in each after a warm-up of {} s or more", levels,
                        repeated(settings), rules.duration ? "exactly" : "at most",
                        minutes(seconds(longest), engine_speed), figure_number(warmup_s));
  }
  if (settings.goal.open)
    words += fmt::format("; then at most about {} for the rates", minutes(settings.goal.open_budget_s, engine_speed));
  return words;
}

}  // namespace

std::string expected_time_words(const RunSettings& settings, double engine_speed) {
  return "expected time: " +
         (settings.levels.empty() ? chosen_words(settings, engine_speed) : listed_words(settings, engine_speed));
}

}  // namespace loadline
