#include "core/level_result.h"

#include <string_view>

#include "core/error.h"

namespace loadline {

std::string_view name(Stability stability) {
  constexpr std::array<std::string_view, 4> names = {"stabilised", "decided", "not_stabilised", "saturated"};
  return names.at(static_cast<std::size_t>(stability));
}
std::string_view name(Verdict verdict) {
  constexpr std::array<std::string_view, 3> names = {"under", "over", "open"};
  return names.at(static_cast<std::size_t>(verdict));
}

const LatencySummary& latency_of(const LevelResult& level, Latency metric) {
  switch (metric) {
    case Latency::ttft:
      return level.ttft_ms;
    case Latency::tpot:
      return level.tpot_ms;
    case Latency::itl:
      return level.itl_ms;
    case Latency::e2e:
      return level.e2e_ms;
  }
  check(false, "a metric is one of four");
  return level.ttft_ms;
}

}  // namespace loadline
