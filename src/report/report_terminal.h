#pragma once
// The page at the end of a run, for a terminal.

#include <string>

#include "core/run_report.h"

namespace loadline {

/// Plain text without terminal codes, no line longer than `width` columns (at least 40) but for single long words. The
/// sentence first, then validity and doubts, the levels with the operating point marked by ">", peak, bound, sizing,
/// and what is unknown. Where room is short, columns of the table go; report.json has them all.
std::string report_terminal(const RunReport& report, unsigned width);

}  // namespace loadline
