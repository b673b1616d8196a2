#include "report/trace_stats_html.h"

#include "report/escape.h"
#include "report/html_document.h"
#include "report/trace_page_sections.h"

namespace loadline {
namespace {

std::string trace_masthead(const TraceStats& stats) {
  return "<div class=\"masthead\"><b>loadline trace stats</b> <span>" + escape_html(stats.source) + "</span> <span>" +
         escape_html(stats.format) + "</span></div>\n";
}

std::vector<PagePart> trace_parts(const TraceStats& stats, const TraceStatsExtras& extras) {
  return {{"lengths", "Lengths", trace_lengths_section(stats)},
          {"completions", "Completion by prompt", trace_bins_section(stats)},
          {"arrivals", "Arrivals", trace_arrivals_section(stats)},
          {"sessions", "Sessions", trace_sessions_section(stats)},
          {"sharing", "Prefix sharing", trace_sharing_section(stats, extras)},
          {"books", "Books", trace_books_section(stats)}};
}

}  // namespace

std::string trace_stats_html(const TraceStats& stats, const TraceStatsExtras& extras) {
  const std::string first_screen = trace_answer_section(stats, extras);
  return html_document("loadline trace stats: " + stats.source,
                       page_frame(trace_masthead(stats), first_screen, trace_parts(stats, extras),
                                  "Made by loadline from the log's numbers alone."));
}

}  // namespace loadline
