#include "core/level.h"

#include <array>
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

}  // namespace loadline
