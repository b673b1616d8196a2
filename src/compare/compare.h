#pragma once
// Two runs -> their comparison: may they be compared, and what is the ratio. docs/method.md section 9. Knows neither
// files nor servers, and not how a curve is made.

#include <cstdint>
#include <functional>
#include <string>

#include "compare/capacity_ratio.h"
#include "core/comparison.h"
#include "core/record.h"
#include "core/run_report.h"

namespace loadline {

struct ComparedRun {
  std::string name;  ///< how the user calls it
  const RunReport* report = nullptr;
  Manifest manifest;
  std::function<LevelRecords(std::uint32_t ordinal)> records;  ///< of a complete level
  CurveOf curve;
};

struct ComparisonSettings {
  std::string variable;  ///< as declared; empty: found
  bool force = false;    ///< show numbers also where the runs cannot be compared
  BootstrapSettings bootstrap;
};

/// Refused comparisons have no ratios unless they are forced. Error where the two have no load in common, and where
/// the declared variable is unknown.
Comparison compare(const ComparedRun& a, const ComparedRun& b, const ComparisonSettings& settings);

}  // namespace loadline
