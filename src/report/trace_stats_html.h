#pragma once
// `loadline trace stats --html`: what a log holds, as one page. Computes nothing but coordinates and the bytes of a
// cache size; shows no text of a prompt.

#include <string>

#include "core/trace_stats.h"
#include "report/trace_stats_extras.h"

namespace loadline {

/// One self-contained page (html_document.h): lengths with their distribution, completions by prompt, arrivals,
/// sessions, sharing with the hit rate against cache size, the books and the remarks. All text of the log is escaped;
/// an absent number is an en dash with its reason, an absent part says why in words.
std::string trace_stats_html(const TraceStats& stats, const TraceStatsExtras& extras = {});

}  // namespace loadline
