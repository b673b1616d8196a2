#include "trace/arrival_stats.h"

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

struct BinnedArrivals {
  std::uint64_t busiest = 0;
  std::optional<double> dispersion;
};

/// Walks over the arrivals once; bins without any are never touched.
BinnedArrivals bin_arrivals(std::span<const Nanos> arrivals, Nanos width) {
  const Nanos start = arrivals.front();
  const std::int64_t complete = (arrivals.back() - start) / width;
  BinnedArrivals result;
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < arrivals.size();) {
    const std::int64_t bin = (arrivals[i] - start) / width;
    const Nanos next_bin = start + (bin + 1) * width;
    std::size_t end = i + 1;
    while (end < arrivals.size() && arrivals[end] < next_bin) ++end;
    const auto count = static_cast<double>(end - i);
    result.busiest = std::max<std::uint64_t>(result.busiest, end - i);
    if (bin < complete) {
      sum += count;
      squares += count * count;
    }
    i = end;
  }
  if (complete >= 2 && sum > 0) {
    const double mean = sum / static_cast<double>(complete);
    result.dispersion = (squares / static_cast<double>(complete) - mean * mean) / mean;
  }
  return result;
}

/// Absent for fewer than two gaps, and where all are zero.
std::optional<double> gap_variation(std::span<const Nanos> arrivals) {
  if (arrivals.size() < 3) return std::nullopt;
  const double n = static_cast<double>(arrivals.size() - 1);
  const double mean = seconds(arrivals.back() - arrivals.front()) / n;
  if (mean <= 0) return std::nullopt;
  double squares = 0;
  for (std::size_t i = 1; i < arrivals.size(); ++i) {
    const double deviation = seconds(arrivals[i] - arrivals[i - 1]) - mean;
    squares += deviation * deviation;
  }
  return std::sqrt(squares / n) / mean;
}

std::uint64_t count_equal_stamps(std::span<const Nanos> arrivals) {
  std::uint64_t equal = 0;
  for (std::size_t i = 1; i < arrivals.size(); ++i) equal += arrivals[i] == arrivals[i - 1] ? 1 : 0;
  return equal;
}

}  // namespace

ArrivalStats describe_arrivals(std::span<const Nanos> arrivals, double time_resolution_ms) {
  ArrivalStats stats;
  stats.span_s = seconds(arrivals.back() - arrivals.front());
  if (stats.span_s > 0) stats.rate_per_s = static_cast<double>(arrivals.size() - 1) / stats.span_s;
  stats.gap_cv = gap_variation(arrivals);
  const BinnedArrivals by_second = bin_arrivals(arrivals, std::chrono::seconds(1));
  const BinnedArrivals by_minute = bin_arrivals(arrivals, std::chrono::seconds(60));
  stats.dispersion_1s = by_second.dispersion;
  stats.dispersion_60s = by_minute.dispersion;
  stats.busiest_1s = by_second.busiest;
  stats.busiest_60s = by_minute.busiest;
  stats.stamped = arrivals.size();
  stats.equal_stamps = count_equal_stamps(arrivals);
  stats.coarse = time_resolution_ms > 1000;
  return stats;
}

}  // namespace loadline
