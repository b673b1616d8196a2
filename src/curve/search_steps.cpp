#include "curve/search_steps.h"

#include <algorithm>
#include <cmath>

#include "curve/level_p99.h"

namespace loadline {
namespace {

constexpr double step_factor = 1.15;
constexpr std::size_t most_steps = 20;

std::uint32_t ramp_requests(double users) {
  if (users < 4) return 30;
  return users < 8 ? 120 : 300;
}

}  // namespace

bool is_above(const LevelResult& level, double times) {
  if (level.stability == Stability::saturated) return true;
  for (std::size_t i = 0; i < level.objectives.size(); ++i) {
    if (has_too_many_above(level, i, times)) return true;
  }
  return false;
}

bool has_both_sides(std::span<const LevelResult> results) {
  const auto above = std::ranges::count_if(results, [](const LevelResult& level) { return is_above(level, 1); });
  return above > 0 && static_cast<std::size_t>(above) < results.size();
}

std::optional<RampLevel> next_ramp_level(std::span<const LevelResult> results, double most_users, double factor) {
  if (results.empty()) return RampLevel{};
  const LevelResult& last = results.back();
  if (is_above(last, far_above) || last.level.target >= std::floor(most_users)) return std::nullopt;
  const double users = std::min(factor * last.level.target, std::floor(most_users));
  return RampLevel{users, ramp_requests(users)};
}

std::optional<double> next_open_step(std::span<const LevelResult> results, double start) {
  std::optional<double> below, above;
  for (const LevelResult& level : results) {
    const double rate = level.level.target;
    if (is_above(level, 1))
      above = std::min(above.value_or(rate), rate);
    else
      below = std::max(below.value_or(rate), rate);
  }
  if ((below && above) || results.size() >= most_steps) return std::nullopt;
  if (above) return *above / step_factor;
  return below ? *below * step_factor : start;
}

}  // namespace loadline
