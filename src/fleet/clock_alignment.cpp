#include "fleet/clock_alignment.h"

#include <algorithm>
#include <vector>

namespace loadline {
namespace {

constexpr std::size_t shortest_trips = 10;  // of some hundred: what the spread is taken from

Nanos round_trip(const ClockSample& sample) { return sample.received - sample.sent; }

Nanos offset_of(const ClockSample& sample) { return sample.remote - (sample.sent + round_trip(sample) / 2); }

}  // namespace

std::optional<ClockOffset> clock_offset(std::span<const ClockSample> samples) {
  if (samples.empty()) return std::nullopt;
  std::vector<ClockSample> by_trip(samples.begin(), samples.end());
  std::ranges::stable_sort(by_trip, {}, round_trip);
  const ClockSample best = by_trip.front();
  by_trip.resize(std::min(by_trip.size(), shortest_trips));
  const auto [lowest, highest] = std::ranges::minmax_element(by_trip, {}, offset_of);
  return ClockOffset{offset_of(best), round_trip(best) / 2, (offset_of(*highest) - offset_of(*lowest)) / 2,
                     samples.size()};
}

}  // namespace loadline
