#include "core/level_result.h"

#include <string_view>

namespace loadline {

std::string_view name(Stability stability) {
  constexpr std::array<std::string_view, 4> names = {"stabilised", "decided", "not_stabilised", "saturated"};
  return names.at(static_cast<std::size_t>(stability));
}
std::string_view name(Verdict verdict) {
  constexpr std::array<std::string_view, 3> names = {"under", "over", "open"};
  return names.at(static_cast<std::size_t>(verdict));
}

}  // namespace loadline
