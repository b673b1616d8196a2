#pragma once
// Where the share of slow requests crosses what the objective allows: the posterior of docs/method.md section 4,
// steps 1 to 5, and the capacity there, step 6. On plain rows, so that it can be tested against the method.

#include <cstddef>
#include <optional>
#include <span>

#include "core/estimate.h"

namespace loadline {

/// A level as the estimate sees it.
struct CrossingRow {
  double load = 0;          ///< users, or requests/s
  double n = 0, above = 0;  ///< requests judged, of these above the limit
  double tau = 1;
  double aggregate = 0;  ///< output tokens/s
  bool saturated = false;
  double requests_per_s = 0;  ///< X, for a capacity without token counts
};

/// How the model is set: the closed loop by default; `open_loop()` for rates.
struct CrossingSettings {
  double allowed = 0.01;                        ///< 1 - percentile
  double slope_median = 4, slope_spread = 0.8;  ///< prior of s1: ln s1 normal
  double least_nearness = 0.1;                  ///< h is held between this and 0.3
  double dispersion = 1.4;
  static CrossingSettings open_loop(double allowed) { return {allowed, 12, 1.0, 0.03, 1.0}; }
};

/// load* with its 95% interval, the slopes below and above it (also for placing visits), and the levels near.
struct CrossingEstimate {
  Estimate load;
  double slope_below = 0, slope_above = 0;
  std::size_t near = 0;
};
/// At least one row with load > 0.
CrossingEstimate estimate_crossing(std::span<const CrossingRow> rows, const CrossingSettings& settings);

/// The aggregate in output tokens/s at load*, with its interval (without the spread of lengths). At least one row has
/// one.
Estimate estimate_aggregate(std::span<const CrossingRow> rows, const Estimate& load);
/// The same for X in requests/s, which needs no token count and no mean completion.
Estimate estimate_requests(std::span<const CrossingRow> rows, const Estimate& load);

/// requests/s = aggregate / mean completion; `relative_error_of_mean` (1.96 cv / sqrt(requests), 0 where lengths are
/// prescribed) joins the squares.
Estimate capacity_of(const Estimate& aggregate, double mean_completion, double relative_error_of_mean);

}  // namespace loadline
