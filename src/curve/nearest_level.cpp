#include "curve/nearest_level.h"

#include <cmath>

namespace loadline {

namespace {

/// The one whose `measure` is nearest to `wanted` by ratio; those of which it is 0 are left out.
const LevelResult* nearest_by(const std::vector<LevelResult>& levels, LevelKind kind, double wanted,
                              const std::function<double(const LevelResult&)>& measure,
                              const std::function<bool(const LevelResult&)>& usable) {
  const LevelResult* nearest = nullptr;
  const auto distance = [&](const LevelResult& level) { return std::abs(std::log(measure(level) / wanted)); };
  for (const LevelResult& level : levels) {
    if (level.level.kind != kind || measure(level) <= 0 || (usable && !usable(level))) continue;
    if (nearest == nullptr || distance(level) < distance(*nearest)) nearest = &level;
  }
  return nearest;
}

}  // namespace

const LevelResult* nearest_level(const std::vector<LevelResult>& levels, LevelKind kind, double load,
                                 const std::function<bool(const LevelResult&)>& usable) {
  return nearest_by(levels, kind, load, [](const LevelResult& level) { return level.level.target; }, usable);
}

const LevelResult* nearest_carrying(const std::vector<LevelResult>& levels, double requests_per_s,
                                    const std::function<bool(const LevelResult&)>& usable) {
  return nearest_by(
      levels, LevelKind::concurrency, requests_per_s,
      [](const LevelResult& level) { return level.completed_requests_per_s; }, usable);
}

}  // namespace loadline
