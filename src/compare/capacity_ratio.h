#pragma once
// The ratio of two capacities: from the capacities of whole passes, or, of fewer passes, by drawing the batches of
// every level again and estimating both capacities anew.

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "compare/level_pair.h"
#include "compare/load_ratios.h"
#include "core/comparison.h"
#include "core/curve.h"
#include "core/level_result.h"
#include "core/run_report.h"

namespace loadline {

/// What a batch of a level's requests adds to its row of the curve.
struct BatchSums {
  double requests = 0, residence_ms = 0;
  std::vector<double> above;  ///< requests above the limit, for each objective
};
struct LevelBatches {
  std::size_t place = 0;  ///< in the report's levels
  std::vector<BatchSums> batches;
};
LevelBatches batches_of_level(std::size_t place, std::span<const RequestSeen> requests,
                              const std::vector<Objective>& objectives);

/// One level of both sides with the same requests, or of one side alone.
struct CurveLevel {
  std::optional<LevelBatches> a, b;  ///< the same number of batches where both are there
};

/// Levels -> curve, as the report makes it (the room does not know how).
using CurveOf = std::function<Curve(const std::vector<LevelResult>&)>;

/// Of the closed or of the open capacity. Absent ratio, with the reason, where a side has no such capacity.
Ratio capacity_ratio(LevelKind kind, const RunReport& a, const RunReport& b, std::span<const CurveLevel> levels,
                     const CurveOf& curve_a, const CurveOf& curve_b, const BootstrapSettings& settings);

}  // namespace loadline
