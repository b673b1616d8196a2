#pragma once
// The hit rate of a workload's first requests.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "workload/sharing.h"

namespace loadline {

inline double hit_rate_of(const Workload& workload, std::size_t count = SIZE_MAX) {
  UnboundedCache cache(workload.blocks, workload.block_size);
  const std::size_t n = std::min(count, workload.requests.size());
  for (std::size_t i = 0; i < n; ++i) cache.take(workload.requests[i].prompt);
  return cache.token_hit_rate();
}

}  // namespace loadline
