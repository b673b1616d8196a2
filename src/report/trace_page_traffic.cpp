#include <fmt/format.h>

#include "report/number_words.h"
#include "report/report_html_sections.h"
#include "report/report_html_table.h"
#include "report/trace_page_figures.h"
#include "report/trace_page_sections.h"
#include "report/trace_stats_words.h"

namespace loadline {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

std::string quiet_words(std::string_view words) { return fmt::format("<p class=\"quiet\">{}</p>\n", words); }

HtmlCell tokens_cell(std::int64_t tokens) {
  HtmlCell cell = number_cell(static_cast<double>(tokens));
  cell.html = figure_count(tokens);
  return cell;
}

void add_length_row(HtmlTable& table, std::string_view name, const LengthSummary& lengths) {
  std::vector<HtmlCell> cells = {text_cell(name)};
  if (lengths.n == 0) {
    cells.insert(cells.end(), length_quantiles().size() + 3, absent_cell("the log does not tell it of any request"));
  } else {
    cells.push_back(count_cell(lengths.n));
    cells.push_back(tokens_cell(lengths.min));
    for (const LengthQuantile& quantile : length_quantiles()) cells.push_back(tokens_cell(lengths.*quantile.value));
    cells.push_back(number_cell(lengths.mean));
  }
  table.row(std::move(cells));
}

HtmlTable length_table(const TraceStats& stats) {
  HtmlTable table(with_token_origin("Lengths in tokens, quantiles by nearest rank", stats.tokens_estimated));
  table.column("", false).column("n").column("min");
  for (const LengthQuantile& quantile : length_quantiles()) table.column(quantile.name);
  table.column("mean");
  add_length_row(table, "prompt", stats.prompt_tokens);
  add_length_row(table, "completion", stats.completion_tokens);
  return table;
}

std::string correlation(const std::optional<double>& value) {
  return value ? fmt::format("{:.3f}", *value) : std::string(absent_mark) + " (it needs two lengths that vary)";
}

std::string busiest_minute(const ArrivalStats& arrivals) {
  if (arrivals.span_s < 60) return "no whole minute";
  return fmt::format("{} requests in a minute ({} requests/s)", figure_count(arrivals.busiest_60s),
                     figure_number(static_cast<double>(arrivals.busiest_60s) / 60));
}

std::string or_unknown(const std::optional<double>& value, std::string_view unit) {
  return value ? figure_number(*value) + std::string(unit) : "unknown";
}

Pairs arrival_facts(const TraceStats& stats) {
  const ArrivalStats& arrivals = *stats.arrivals;
  Pairs facts = {
      {"Span, mean rate", figure_number(arrivals.span_s) + " s, " + or_unknown(arrivals.rate_per_s, " requests/s")},
      {"Busiest",
       fmt::format("{} requests in a second, {}", figure_count(arrivals.busiest_1s), busiest_minute(arrivals))},
      {"CV of the gaps", or_unknown(arrivals.gap_cv, " (Poisson: 1)")},
      {"Index of dispersion",
       fmt::format("{} by second, {} by minute (Poisson: 1)", or_unknown(arrivals.dispersion_1s, ""),
                   or_unknown(arrivals.dispersion_60s, ""))},
      {"Stamps", fmt::format("{} requests have a time, {} of them that of the one before",
                             figure_count(arrivals.stamped), figure_count(arrivals.equal_stamps))}};
  if (stats.time_resolution_ms)
    facts.emplace_back("Clock", "steps of " + figure_setting(*stats.time_resolution_ms) + " ms");
  return facts;
}

}  // namespace

std::string trace_lengths_section(const TraceStats& stats) {
  const std::string correlations = definition_list(
      {{"Correlation of prompt and completion",
        "Pearson " + correlation(stats.pearson) + ", Spearman (ranks) " + correlation(stats.spearman)}});
  return page_section("lengths", "Lengths",
                      chart_figure(length_chart(stats)) + length_table(stats).html() + correlations);
}

std::string trace_bins_section(const TraceStats& stats) {
  if (stats.completion_by_prompt.empty()) return "";
  HtmlTable table(with_token_origin("Completion tokens by prompt length", stats.tokens_estimated));
  table.column("prompt, from").column("to").column("requests").column("completion p50").column("completion p90");
  for (const CompletionByPrompt& bin : stats.completion_by_prompt) {
    table.row({tokens_cell(bin.from + 1), tokens_cell(bin.to), count_cell(bin.n), tokens_cell(bin.p50),
               tokens_cell(bin.p90)});
  }
  return page_section("completions", "Completion by prompt",
                      chart_figure(completion_chart(stats)) + table.sortable().html());
}

std::string trace_arrivals_section(const TraceStats& stats) {
  if (!stats.arrivals) return page_section("arrivals", "Arrivals", quiet_words("Unknown: the log has no times."));
  std::string body = definition_list(arrival_facts(stats));
  if (stats.arrivals->coarse)
    body += "<p class=\"notice\">The clock's step is over 1 s: gaps and seconds mean little.</p>\n";
  return page_section("arrivals", "Arrivals", body);
}

std::string trace_sessions_section(const TraceStats& stats) {
  if (!stats.sessions)
    return page_section("sessions", "Sessions",
                        quiet_words("Unknown: the log does not say which requests belong together."));
  const SessionStats& sessions = *stats.sessions;
  return page_section(
      "sessions", "Sessions",
      definition_list(
          {{"Sessions", figure_count(sessions.count) + ", " + session_origin_words(sessions)},
           {"Turns", fmt::format("p50 {}, p90 {}, p99 {}, most {}, mean {}", figure_count(sessions.turns.p50),
                                 figure_count(sessions.turns.p90), figure_count(sessions.turns.p99),
                                 figure_count(sessions.turns.max), figure_number(sessions.turns.mean))},
           {"With one turn", figure_percent(sessions.single_turn_share)},
           {"Think time", fmt::format("p50 {}, p90 {}", or_unknown(sessions.think_time_p50_s, " s"),
                                      or_unknown(sessions.think_time_p90_s, " s"))}}));
}

}  // namespace loadline
