#include "statistics/distance.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace loadline {

double ks_distance(std::vector<std::int64_t> a, std::vector<std::int64_t> b) {
  check(!a.empty() && !b.empty(), "a distance is between two samples that are not empty");
  std::ranges::sort(a);
  std::ranges::sort(b);
  double largest = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const std::int64_t value = std::min(a[i], b[j]);
    while (i < a.size() && a[i] == value) ++i;
    while (j < b.size() && b[j] == value) ++j;
    const double difference = static_cast<double>(i) / static_cast<double>(a.size()) -
                              static_cast<double>(j) / static_cast<double>(b.size());
    largest = std::max(largest, std::abs(difference));
  }
  return largest;
}

}  // namespace loadline
