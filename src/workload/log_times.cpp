#include "workload/log_times.h"

namespace loadline {

LogTimes::LogTimes(const Trace& trace) : trace_(trace) {
  const auto rows = static_cast<std::int64_t>(trace.rows.size());
  if (rows < 2) return;
  const Nanos span = trace.rows.back().arrival - trace.rows.front().arrival;
  lap_ = span + span / (rows - 1);
}

std::optional<Nanos> LogTimes::arrival(const ChosenRow& chosen) {
  const TraceRow& row = trace_.rows[chosen.row];
  if (!first_) first_ = row.arrival;
  if (!trace_.has_times || !row.arrival_known) return std::nullopt;
  return row.arrival - *first_ + lap_ * static_cast<std::int64_t>(chosen.lap);
}

}  // namespace loadline
