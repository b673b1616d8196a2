#include "trace/time_resolution.h"

#include <algorithm>

namespace loadline {
namespace {

constexpr std::size_t ticks_needed = 100;

/// arrival(i) of `count` arrivals, ascending.
template <class Arrival>
double observed_step_ms(std::size_t count, Arrival arrival) {
  std::size_t zero_gaps = 0;
  for (std::size_t i = 1; i < count; ++i) zero_gaps += arrival(i) == arrival(i - 1) ? 1 : 0;
  const std::size_t gaps = count > 0 ? count - 1 : 0, tick_count = gaps - zero_gaps;
  if (tick_count < ticks_needed || 2 * zero_gaps < gaps) return 0;  // nearly all logs end here: nothing is kept
  std::vector<Nanos> ticks;
  ticks.reserve(tick_count);
  for (std::size_t i = 1; i < count; ++i) {
    if (arrival(i) != arrival(i - 1)) ticks.push_back(arrival(i) - arrival(i - 1));
  }
  const auto rank = [&](std::size_t index) {
    const auto at = ticks.begin() + static_cast<std::ptrdiff_t>(index);
    std::nth_element(ticks.begin(), at, ticks.end());
    return *at;
  };
  const Nanos tenth = rank(ticks.size() / 10), median = rank(ticks.size() / 2);
  return milliseconds(tenth) >= 0.9 * milliseconds(median) ? milliseconds(median) : 0;
}

}  // namespace

double observed_resolution_ms(const std::vector<TraceRow>& rows) {
  return observed_step_ms(rows.size(), [&](std::size_t i) { return rows[i].arrival; });
}

double observed_resolution_ms(std::span<const Nanos> arrivals) {
  return observed_step_ms(arrivals.size(), [&](std::size_t i) { return arrivals[i]; });
}

}  // namespace loadline
