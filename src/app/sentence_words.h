#pragma once
// The words that the sentences of all decisions share.

#include <string>

#include "core/run_report.h"

namespace loadline {

/// "p99 TTFT ≤ 1,000 ms and p99 TPOT ≤ 50 ms"
std::string objectives_text(const RunReport& report);
/// "9.40 to 10.3", "at least 9.40", or the value where it has no interval.
std::string interval_text(const Estimate& estimate);
/// "50 users who wait for each answer", "Poisson arrivals at 7.70 requests/s"
std::string load_text(const RunReport& report, LevelKind kind, double load);

}  // namespace loadline
