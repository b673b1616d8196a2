#pragma once
// The hit rate of a workload that has not become a plan yet.

#include <cstddef>
#include <cstdint>

#include "workload/sharing.h"

namespace loadline {

inline double hit_rate_of(const Workload& workload, std::size_t count = SIZE_MAX) {
  Plan plan;
  plan.blocks = workload.blocks;
  plan.block_size = workload.block_size;
  for (const Request& request : workload.requests) plan.requests.push_back({request, WhenUserFree{}});
  return planned_hit_rate(plan, count);
}

}  // namespace loadline
