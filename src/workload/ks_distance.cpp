#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "workload/sample_distance.h"

namespace loadline {

double ks_distance(std::vector<std::int64_t> a, std::vector<std::int64_t> b) {
  check(!a.empty() && !b.empty(), "two samples are compared");
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  double largest = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    // Past all that equal the next length: only between lengths are both functions known.
    const std::int64_t length = std::min(a[i], b[j]);
    while (i < a.size() && a[i] == length) ++i;
    while (j < b.size() && b[j] == length) ++j;
    const double below_a = static_cast<double>(i) / static_cast<double>(a.size());
    const double below_b = static_cast<double>(j) / static_cast<double>(b.size());
    largest = std::max(largest, std::abs(below_a - below_b));
  }
  return largest;
}

}  // namespace loadline
