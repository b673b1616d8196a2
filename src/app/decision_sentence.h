#pragma once
// What the first sentence says for the decisions beside `capacity`: their primary metric, with what it was measured at.

#include <string>

#include "core/run_report.h"

namespace loadline {

/// What one user sees at the level nearest to the operating point, or at the lowest level where there is none.
std::string interactive_sentence(const RunReport& report);
/// The most output tokens/s, where it was reached, what it costs and how long answers took there.
std::string batch_sentence(const RunReport& report);
/// That one run alone compares nothing.
std::string one_run_alone();

}  // namespace loadline
