#pragma once
// Loads that cannot be.

#include "core/level.h"

namespace loadline {

/// Throws Error, saying what to give instead: users not a whole number from 1 to a million or with arrivals; a rate, a
/// burstiness or an arrival scale that is not a positive number within reason; a rate without arrivals.
void require_possible(const Level& level);

}  // namespace loadline
