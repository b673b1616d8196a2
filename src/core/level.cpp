#include "core/level.h"

#include <array>
#include <cmath>
#include <string_view>

namespace loadline {

std::string_view name(Latency metric) {
  constexpr std::array<std::string_view, 4> names = {"ttft", "tpot", "itl", "e2e"};
  return names.at(static_cast<std::size_t>(metric));
}
std::string_view name(LevelKind kind) { return kind == LevelKind::concurrency ? "concurrency" : "request_rate"; }
std::string_view name(Arrivals arrivals) {
  constexpr std::array<std::string_view, 5> names = {"closed", "constant", "poisson", "gamma", "trace"};
  return names.at(static_cast<std::size_t>(arrivals));
}

bool is_p99_of_all(const Objective& objective) { return !objective.of && std::abs(objective.percentile - 0.99) < 1e-9; }

constexpr std::array<std::string_view, 6> purpose_names = {"listed", "ladder", "ramp", "step", "visit", "backward"};

std::string_view name(LevelPurpose purpose) { return purpose_names.at(static_cast<std::size_t>(purpose)); }
std::optional<LevelPurpose> level_purpose_named(std::string_view name) {
  for (std::size_t i = 0; i < purpose_names.size(); ++i) {
    if (purpose_names[i] == name) return static_cast<LevelPurpose>(i);
  }
  return std::nullopt;
}

LevelRules rules_of(const Level& level, LevelRules run_rules) {
  if (level.requests == 0) return run_rules;
  run_rules.num_prompts = level.requests;
  run_rules.duration.reset();
  return run_rules;
}

}  // namespace loadline
