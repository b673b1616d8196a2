#include "core/curve.h"

#include <array>
#include <string_view>

namespace loadline {

std::string_view name(Crossing crossing) {
  constexpr std::array<std::string_view, 3> names = {"bracketed", "above_last_level", "below_first_level"};
  return names.at(static_cast<std::size_t>(crossing));
}

}  // namespace loadline
