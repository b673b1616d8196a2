#pragma once
// The parts of the page of a log, each a function from its statistics to HTML, in the order in which they stand.

#include <string>

#include "core/trace_stats.h"
#include "report/trace_stats_extras.h"

namespace loadline {

/// The log in one sentence and its facts; then the remarks.
std::string trace_answer_section(const TraceStats& stats, const TraceStatsExtras& extras);
std::string trace_lengths_section(const TraceStats& stats);
std::string trace_bins_section(const TraceStats& stats);  ///< completions by prompt; empty without bins
std::string trace_arrivals_section(const TraceStats& stats);
std::string trace_sessions_section(const TraceStats& stats);
std::string trace_sharing_section(const TraceStats& stats, const TraceStatsExtras& extras);
std::string trace_books_section(const TraceStats& stats);

}  // namespace loadline
