#pragma once
// The log's own arrivals, for requests drawn from it.

#include <cstdint>
#include <optional>

#include "core/trace.h"
#include "workload/row_order.h"

namespace loadline {

/// Arrivals after the first request's, never decreasing. The log is taken to go on after its end as it began: a lap
/// lasts the log's span and one mean gap.
class LogTimes {
 public:
  explicit LogTimes(const Trace& trace);

  /// Rows in the order in which they are drawn. Absent where the log does not know the row's arrival.
  std::optional<Nanos> arrival(const ChosenRow& chosen);

 private:
  const Trace& trace_;
  Nanos lap_{};
  std::optional<Nanos> first_;  ///< of the first row, in the log
};

}  // namespace loadline
