#pragma once
// What loads, metrics and objectives are called, in every sentence, table and figure.

#include <string>

#include "core/level.h"

namespace loadline {

/// "32 users", "1 user", "7.5 req/s".
std::string load_label(LevelKind kind, double load);
std::string level_label(const Level& level);
/// "TTFT", "TPOT", "ITL", "E2E latency".
std::string metric_label(Latency metric);
/// "p99 TTFT ≤ 1,000 ms", "p99 TTFT ≤ 500 ms where prompt<=2000"
std::string objective_label(const Objective& objective);
std::string percentile_label(double percentile);

}  // namespace loadline
