#include "statistics/count_distance.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace loadline {

double ks_distance_from_counts(const std::map<std::int64_t, std::uint64_t>& counts, std::vector<std::int64_t> sample) {
  check(!counts.empty() && !sample.empty(), "a distance is between two samples that hold something");
  std::ranges::sort(sample);
  double total = 0;
  for (const auto& [value, count] : counts) total += static_cast<double>(count);

  // Both distribution functions are steps: their difference is largest at a value of one of them.
  double below = 0, largest = 0;
  auto counted = counts.begin();
  for (std::size_t i = 0; i < sample.size() || counted != counts.end();) {
    const std::int64_t value = i == sample.size()        ? counted->first
                               : counted == counts.end() ? sample[i]
                                                         : std::min(sample[i], counted->first);
    while (i < sample.size() && sample[i] == value) ++i;
    if (counted != counts.end() && counted->first == value) below += static_cast<double>((counted++)->second);
    largest = std::max(largest, std::abs(below / total - static_cast<double>(i) / static_cast<double>(sample.size())));
  }
  return largest;
}

}  // namespace loadline
