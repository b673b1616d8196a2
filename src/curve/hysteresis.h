#pragma once
// The same load run on the way up and on the way down: a server that remembers (a cache that filled, memory that
// fragmented, clocks that fell) answers differently.

#include <vector>

#include "core/curve.h"
#include "core/level_result.h"

namespace loadline {

/// A row for each level run backward and the nearest earlier level of the same kind, load and pass that was not. They
/// differ where one verdict is over and the other under, where the intervals of p99 TTFT or E2E have no place in
/// common, or where the aggregates lie more than 10% apart (the aggregate of 1,000 requests has a standard deviation of
/// 2 to 3% near the operating point, docs/method.md section 4).
std::vector<UpAndDown> compare_up_and_down(const std::vector<LevelResult>& levels);

}  // namespace loadline
