#include "trace/arrival_stats.h"

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

struct BinnedArrivals {
  std::uint64_t busiest = 0;
  std::optional<double> dispersion;
};

/// Walks over the rows once; bins without a row are never touched.
BinnedArrivals bin_arrivals(const std::vector<TraceRow>& rows, Nanos width) {
  const Nanos span = rows.back().arrival - rows.front().arrival;
  const std::int64_t complete = span / width;
  BinnedArrivals result;
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < rows.size();) {
    const std::int64_t bin = (rows[i].arrival - rows.front().arrival) / width;
    std::size_t end = i + 1;
    while (end < rows.size() && (rows[end].arrival - rows.front().arrival) / width == bin) ++end;
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
std::optional<double> gap_variation(const std::vector<TraceRow>& rows) {
  if (rows.size() < 3) return std::nullopt;
  const double n = static_cast<double>(rows.size() - 1);
  const double mean = seconds(rows.back().arrival - rows.front().arrival) / n;
  if (mean <= 0) return std::nullopt;
  double squares = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const double deviation = seconds(rows[i].arrival - rows[i - 1].arrival) - mean;
    squares += deviation * deviation;
  }
  return std::sqrt(squares / n) / mean;
}

}  // namespace

ArrivalStats describe_arrivals(const std::vector<TraceRow>& rows, double time_resolution_ms) {
  ArrivalStats stats;
  stats.span_s = seconds(rows.back().arrival - rows.front().arrival);
  if (stats.span_s > 0) stats.rate_per_s = static_cast<double>(rows.size() - 1) / stats.span_s;
  stats.gap_cv = gap_variation(rows);
  const BinnedArrivals by_second = bin_arrivals(rows, std::chrono::seconds(1));
  const BinnedArrivals by_minute = bin_arrivals(rows, std::chrono::seconds(60));
  stats.dispersion_1s = by_second.dispersion;
  stats.dispersion_60s = by_minute.dispersion;
  stats.busiest_1s = by_second.busiest;
  stats.busiest_60s = by_minute.busiest;
  stats.coarse = time_resolution_ms > 1000;
  return stats;
}

}  // namespace loadline
