#include "trace/stats.h"

#include "trace/summary.h"

namespace loadline {

TraceStats describe(const Trace& trace) {
  TraceSummary summary;
  const RowDetail none;
  for (std::size_t i = 0; i < trace.rows.size(); ++i) {
    summary.add(trace.rows[i], i < trace.details.size() ? trace.details[i] : none);
  }
  summary.end_source(trace);
  return summary.stats();
}

std::optional<double> busiest_minute_requests_per_s(const TraceStats& stats) {
  if (!stats.arrivals || stats.arrivals->span_s < 60) return std::nullopt;
  return static_cast<double>(stats.arrivals->busiest_60s) / 60.0;
}

}  // namespace loadline
