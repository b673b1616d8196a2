#pragma once
// The answer in one sentence, and what it means for the size of a deployment.

#include <string>

#include "core/run_report.h"

namespace loadline {

/// Worded by the kind of the operating point; says what is missing where there is none. Needs levels, curve,
/// operating_point, objectives and decision of `report`.
std::string answer_sentence(const RunReport& report);

/// Replicas for the log's busiest minute, and the cost of output tokens where a price is given.
Sizing size_deployment(const RunReport& report, std::optional<double> price_per_hour);

}  // namespace loadline
