#pragma once
// The parts of the page, each a function from the report to HTML, in the order in which they stand.

#include <string>
#include <string_view>

#include "core/run_report.h"

namespace loadline {

// First screen.
std::string answer_section(const RunReport& report);  ///< decision, sentence, readings, badge, doubts
std::string curve_section(const RunReport& report);   ///< the load line and its data

// Below, each with its heading; an empty string where the run has nothing of the kind.
std::string load_section(const RunReport& report);     ///< second figure and its data
std::string levels_section(const RunReport& report);   ///< one row a level
std::string latency_section(const RunReport& report);  ///< one table a latency, and how each objective fared
std::string traffic_section(const RunReport& report);  ///< lengths, log against sent; the log
std::string cache_section(const RunReport& report);
std::string bound_section(const RunReport& report);
std::string client_section(const RunReport& report);  ///< how late and busy the client itself was
std::string facts_section(const RunReport& report);
std::string books_section(const RunReport& report);   ///< durations, counts, failures by class, Little's law
std::string method_section();                         ///< name and formula of each metric
std::string repeat_section(const RunReport& report);  ///< command, versions, the effective plan

/// `<section id=...><h2>...</h2>body</section>`
std::string page_section(std::string_view id, std::string_view heading, std::string_view body);
/// A figure in its wide and its narrow drawing, with the line where a point tells its numbers, and its data;
/// an empty `data_table`: the data stand in the text beside it.
std::string page_figure(std::string_view wide, std::string_view narrow, std::string_view data_table);

/// What the script reads: JSON, safe inside a script element.
std::string page_data(const RunReport& report);
std::string page_style();
std::string page_script();

/// Why an interval of p99 has no upper end.
inline constexpr std::string_view open_end_reason =
    "the upper end does not exist: too few effective requests, or too many of them failed";
/// Why a number of goodput is absent.
inline constexpr std::string_view no_limits_reason = "no per-request limits were set";
inline constexpr std::string_view no_window_reason = "the level ended before its window opened";
inline constexpr std::string_view no_tokens_reason =
    "not measured: the answers have no token counts, or there was no window";

/// True where the target is not a real one: a simulated engine or one whose time runs faster.
bool is_simulated(const RunReport& report);

}  // namespace loadline
