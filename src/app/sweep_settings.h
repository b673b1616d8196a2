#pragma once
// What the user wrote about how the sweep chooses its levels, checked and typed.

#include "app/run_spec.h"
#include "app/settings.h"

namespace loadline {

/// Fills settings.goal, settings.repeats and what a budget means for the rules of single levels. `settings` holds the
/// levels and the rules already. Throws Error for values that cannot be used or contradict each other.
void settle_sweep(const RunSpec& spec, RunSettings& settings);

}  // namespace loadline
