#pragma once
// How the levels were chosen and what they left open, in sentences. Nothing foreign is in them.

#include <string>
#include <vector>

#include "core/run_report.h"

namespace loadline {

/// What the levels cost, why they ended and how closely the capacity is known; what repetitions say; what the way down
/// said. Empty where no level was measured.
std::vector<std::string> sweep_words(const RunReport& report);

}  // namespace loadline
