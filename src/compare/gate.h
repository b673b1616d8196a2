#pragma once
// Pass or fail for a pipeline, by the statistics of the comparison.

#include "core/comparison.h"

namespace loadline {

/// A is the baseline, B the run under test. With loss t = `slower_than`, of the decisive ratio turned so that more is
/// faster: it failed where the whole interval lies below 1 - t, passed where none of it does, and is undecided where
/// 1 - t lies inside, or there is no interval. Undecided fails only with `strict`. A comparison with an invalidating
/// doubt failed. `comparison` is not refused.
Gate gate_of(const Comparison& comparison, double slower_than, bool strict);

}  // namespace loadline
