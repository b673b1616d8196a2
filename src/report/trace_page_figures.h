#pragma once
// What the charts of the page of a log hold.

#include <string>
#include <vector>

#include "core/trace_stats.h"
#include "report/chart.h"
#include "report/trace_stats_extras.h"

namespace loadline {

struct LengthQuantile {
  const char* name;  ///< "p99.9"
  double share;      ///< of the requests that are at most as long
  std::int64_t LengthSummary::* value;
};
/// p1 to max, ascending.
const std::vector<LengthQuantile>& length_quantiles();

/// Distribution functions of prompt and completion through the quantiles that are known.
Chart length_chart(const TraceStats& stats);
/// p50 and p90 of the completions of each bin of prompts, a bar as wide as the bin.
Chart completion_chart(const TraceStats& stats);
/// Token hit rate against cache size, with that of a cache that forgets nothing.
Chart cache_size_chart(const PrefixProfile& sharing, const TraceStatsExtras& extras);

/// The chart as the page has it, wide and narrow; empty where it has no mark.
std::string chart_figure(const Chart& chart);

}  // namespace loadline
