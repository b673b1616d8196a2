#pragma once
// The report for a pull request, a wiki or a mail: GitHub's Markdown, without HTML or images.

#include <string>

#include "core/run_report.h"

namespace loadline {

/// Everything a reader needs to judge the run and to repeat it. Foreign text is escaped: it cannot become markup, a
/// link, a mention or a cell.
std::string report_markdown(const RunReport& report);

}  // namespace loadline
