#pragma once
// How much output arrived in a span of time, as work for the client.

#include <cstdint>

#include "core/record.h"
#include "measure/measured_set.h"

namespace loadline {

struct OutputArrivals {
  std::uint64_t events = 0;  ///< that carried output
  std::uint64_t reads = 0;   ///< that brought any of them: events of one read arrive at one instant
};

/// Of all requests, however they ended.
OutputArrivals output_arrivals(const LevelRecords& records, const Window& window);

}  // namespace loadline
