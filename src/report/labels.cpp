#include "report/labels.h"

#include <fmt/format.h>

#include <array>

#include "report/number_words.h"

namespace loadline {

std::string load_label(LevelKind kind, double load) {
  if (kind == LevelKind::request_rate) return figure_setting(load) + " req/s";
  return figure_setting(load) + (load == 1 ? " user" : " users");
}

std::string level_label(const Level& level) { return load_label(level.kind, level.target); }

std::string metric_label(Latency metric) {
  constexpr std::array<const char*, 4> labels = {"TTFT", "TPOT", "ITL", "E2E latency"};
  return labels.at(static_cast<std::size_t>(metric));
}

// As it was written: p99.999 is not p100, and 0.0001 ms is not 0.
std::string percentile_label(double percentile) { return fmt::format("p{:.12g}", percentile * 100); }

std::string objective_label(const Objective& objective) {
  const double limit = milliseconds(objective.limit);
  return fmt::format("{} {} ≤ {} ms{}", percentile_label(objective.percentile), metric_label(objective.metric),
                     limit < 1 ? fmt::format("{:.6g}", limit) : figure_setting(limit),
                     objective.of ? " where " + class_text(*objective.of) : "");
}

}  // namespace loadline
