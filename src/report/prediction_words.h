#pragma once
// A prediction in words and as data: what it rests on, and how far.

#include <string>
#include <vector>

#include "report/report_json_parts.h"

namespace loadline {

/// One sentence each: the fit, what was changed, each parameter, each level. Empty for what was measured.
std::vector<std::string> prediction_words(const RunReport& report);

/// The page's section; empty for what was measured.
std::string prediction_section(const RunReport& report);

/// The key `prediction` of report.json; null for what was measured.
Json json_prediction(const std::optional<Prediction>& prediction);

}  // namespace loadline
