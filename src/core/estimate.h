#pragma once
// Numbers with what they rest on.

#include <cstdint>
#include <optional>

namespace loadline {

/// A value with its 95% interval; an end that does not exist is absent.
struct Interval {
  std::optional<double> low, high;
};
struct Estimate {
  double value = 0;
  std::optional<double> low, high;
};

/// One latency over R, in ms (docs/method.md sections 1 and 3). p50, p90, p99 and mean are of the requests
/// that succeeded (n of them have the latency); p99_failures_as_infinite is over all (n_all) and owns the
/// interval. tau and n_eff are those of that interval.
struct LatencySummary {
  std::uint64_t n = 0, n_all = 0;
  std::optional<double> mean, p50, p90, p99;
  std::optional<double> p99_low, p99_high;
  std::optional<double> p99_failures_as_infinite;  ///< absent where infinite
  std::optional<double> tau, n_eff;
};

/// A rate seen by users, over R: its median and its slow tenth, tokens/s.
struct RateSummary {
  std::uint64_t n = 0;
  std::optional<double> p50, p10;
};

}  // namespace loadline
