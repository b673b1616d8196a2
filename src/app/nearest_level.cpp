#include "app/nearest_level.h"

#include <cmath>

namespace loadline {

const LevelResult* nearest_level(const std::vector<LevelResult>& levels, LevelKind kind, double load,
                                 const std::function<bool(const LevelResult&)>& usable) {
  const LevelResult* nearest = nullptr;
  const auto distance = [&](const LevelResult& level) { return std::abs(std::log(level.level.target / load)); };
  for (const LevelResult& level : levels) {
    if (level.level.kind != kind || (usable && !usable(level))) continue;
    if (nearest == nullptr || distance(level) < distance(*nearest)) nearest = &level;
  }
  return nearest;
}

}  // namespace loadline
