#include "trace/time_resolution.h"

#include <algorithm>

namespace loadline {
namespace {

constexpr std::size_t ticks_needed = 100;

}  // namespace

double observed_resolution_ms(const std::vector<TraceRow>& rows) {
  std::vector<Nanos> ticks;
  std::size_t zero_gaps = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const Nanos gap = rows[i].arrival - rows[i - 1].arrival;
    if (gap.count() == 0) {
      ++zero_gaps;
    } else if (ticks.size() < rows.size() / 2 + 1) {  // more than half: no ticking clock, no need to keep them
      ticks.push_back(gap);
    }
  }
  if (ticks.size() < ticks_needed || 2 * zero_gaps < rows.size() - 1) return 0;
  const auto rank = [&](std::size_t index) {
    const auto at = ticks.begin() + static_cast<std::ptrdiff_t>(index);
    std::nth_element(ticks.begin(), at, ticks.end());
    return *at;
  };
  const Nanos tenth = rank(ticks.size() / 10), median = rank(ticks.size() / 2);
  return milliseconds(tenth) >= 0.9 * milliseconds(median) ? milliseconds(median) : 0;
}

}  // namespace loadline
