#pragma once
// The report for programs. docs/schema/report.schema.json describes every key: its unit and its formula.

#include <string>

#include "core/run_report.h"

namespace loadline {

/// The `schema` value of what report_json writes; it changes when a key changes its meaning or goes.
inline constexpr const char* report_json_schema = "loadline/report/1";

/// report.json, indented, ending in a line break. What was not measured is null, never 0; nothing is infinite or NaN;
/// what is not UTF-8 in foreign text becomes U+FFFD. `completeness.grade`: see completeness.h.
std::string report_json(const RunReport& report);

}  // namespace loadline
