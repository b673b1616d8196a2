#include "measure/output_arrivals.h"

namespace loadline {

OutputArrivals output_arrivals(const LevelRecords& records, const Window& window) {
  OutputArrivals found;
  for (const RequestRecord& record : records.requests) {
    if (!record.first_token || *record.first_token >= window.end) continue;
    RunTime arrival = *record.first_token;
    const bool first_inside = window.holds(arrival);
    found.events += first_inside ? 1 : 0;
    found.reads += first_inside ? 1 : 0;
    for (const std::uint32_t gap : records.gaps.at(record.gaps)) {
      arrival += Nanos(std::int64_t{gap} * nanos_per_gap_unit);
      if (arrival >= window.end) break;
      if (arrival < window.start) continue;
      ++found.events;
      found.reads += gap > 0 ? 1 : 0;
    }
  }
  return found;
}

}  // namespace loadline
