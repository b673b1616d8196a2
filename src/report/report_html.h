#pragma once
// report.html: the whole result of a run as one page.
//
// One file, no network, no fonts from elsewhere, a content security policy that lets nothing in but its own
// style and script; light and dark, on paper, on a phone, for a screen reader, for a keyboard. Without its
// script everything is still readable; the script only sorts, copies, and tells the numbers of a point.
// It draws RunReport and nothing else, and computes nothing but coordinates.

#include <string>

#include "core/run_report.h"

namespace loadline {

/// The page. All text of the report is escaped for where it stands; an absent number is an en dash with its reason.
std::string report_html(const RunReport& report);

}  // namespace loadline
