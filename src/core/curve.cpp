#include "core/curve.h"

#include <array>
#include <string_view>

namespace loadline {

std::string_view name(Crossing crossing) {
  constexpr std::array<std::string_view, 3> names = {"bracketed", "above_last_level", "below_first_level"};
  return names.at(static_cast<std::size_t>(crossing));
}

constexpr std::array<std::string_view, 5> end_names = {"listed", "curve", "precision", "budget", "not_crossed"};

std::string_view name(SweepEnd end) { return end_names.at(static_cast<std::size_t>(end)); }
std::optional<SweepEnd> sweep_end_named(std::string_view name) {
  for (std::size_t i = 0; i < end_names.size(); ++i) {
    if (end_names[i] == name) return static_cast<SweepEnd>(i);
  }
  return std::nullopt;
}

}  // namespace loadline
