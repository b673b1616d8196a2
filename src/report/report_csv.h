#pragma once
// The levels for a spreadsheet.

#include <string>

#include "core/run_report.h"

namespace loadline {

/// One row per level in order of running. The columns are the keys of report.json's levels with "_" between the names
/// (ttft_ms_p99, requests_failed_http_5xx); always the same ones, in the same order, also without a level. Empty: not
/// measured; a class of failures that did not occur is 0. `doubts` holds the ids, separated by spaces. Lines end in
/// CRLF (RFC 4180).
std::string report_csv(const RunReport& report);

}  // namespace loadline
