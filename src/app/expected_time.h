#pragma once
// What a run may cost, said before it begins.

#include <string>

#include "app/settings.h"

namespace loadline {

/// One sentence: how much engine time the levels take at most, or each of them, as far as their rules tell; and the
/// wall time where the engine's time runs faster. How fast the target is nobody knows yet.
std::string expected_time_words(const RunSettings& settings, double engine_speed);

}  // namespace loadline
