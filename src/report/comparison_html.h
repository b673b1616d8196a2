#pragma once
// A comparison as one self-contained page, with both curves.

#include <optional>
#include <string>

#include "core/comparison.h"
#include "core/run_report.h"

namespace loadline {

std::string comparison_html(const Comparison& comparison, const RunReport& a, const RunReport& b,
                            const std::optional<Gate>& gate);

}  // namespace loadline
