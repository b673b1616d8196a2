#include "prefix/profile.h"

#include <limits>
#include <span>

#include "core/error.h"

namespace loadline {

PrefixProfile profile(const Trace& trace) { return sharing_of(trace).profile(); }

SharingSummary sharing_of(const Trace& trace) {
  SharingSummary summary(std::numeric_limits<std::uint64_t>::max());
  const std::span<const std::uint64_t> blocks(trace.blocks);
  for (const TraceRow& row : trace.rows) {
    check(row.first_block + row.block_count <= blocks.size(), "a row's blocks lie inside the trace");
    summary.add(row, blocks.subspan(row.first_block, row.block_count));
  }
  summary.end_source(trace);
  return summary;
}

}  // namespace loadline
