#pragma once
// `loadline run --check`: what is known before anything is measured.

#include "app/description.h"
#include "app/input.h"
#include "app/reach_target.h"
#include "app/settings.h"
#include "core/error.h"

namespace loadline {

/// Prints the target, its facts, whether lengths are obeyed and the cache can be emptied, and what a run would cost.
ExitStatus check_target(const RunSettings& settings, const Input& input, const ReachedTarget& reached,
                        const RunDescription& description);

}  // namespace loadline
