#include <algorithm>
#include <cmath>

#include "core/workload.h"

namespace loadline {

LengthSummary summarise_lengths(std::vector<std::int64_t> lengths) {
  LengthSummary summary;
  summary.n = lengths.size();
  if (lengths.empty()) return summary;
  std::sort(lengths.begin(), lengths.end());
  // Nearest rank: number ceil(p n), counted from 1. The permille form keeps 0.99 n exact.
  const auto rank = [&](std::uint64_t permille) {
    const std::uint64_t number = (permille * lengths.size() + 999) / 1000;
    return lengths[std::max<std::uint64_t>(number, 1) - 1];
  };
  summary.min = lengths.front();
  summary.max = lengths.back();
  summary.p1 = rank(10);
  summary.p5 = rank(50);
  summary.p10 = rank(100);
  summary.p25 = rank(250);
  summary.p50 = rank(500);
  summary.p75 = rank(750);
  summary.p90 = rank(900);
  summary.p95 = rank(950);
  summary.p99 = rank(990);
  summary.p99_9 = rank(999);
  double sum = 0;
  for (const std::int64_t length : lengths) sum += static_cast<double>(length);
  summary.mean = sum / static_cast<double>(lengths.size());
  return summary;
}

}  // namespace loadline
