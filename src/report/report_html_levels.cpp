#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/escape.h"
#include "report/number_words.h"
#include "report/report_html_sections.h"
#include "report/report_html_table.h"
#include "report/svg_level.h"

namespace loadline {
namespace {

constexpr std::string_view infinite_or_unmeasured = "infinite, or no request was judged by it";
constexpr std::string_view no_fluidity_reason =
    "needs limits of TTFT and TPOT (--goodput or the objectives), and chunks of one token";
constexpr std::string_view no_rate_reason = "undefined: no request had two tokens apart, or too many failed";

HtmlCell level_heading(const LevelResult& level) { return setting_cell(level.level.target, level_label(level.level)); }

std::string state_words(const LevelResult& level) {
  return level.stability == Stability::not_stabilised ? "not stabilised" : std::string(name(level.stability));
}

HtmlCell p99_cell(const LevelResult& level, const DrawnTail& tail) {
  const std::string absence = p99_absence(level, tail);
  return absence.empty() ? number_cell(tail_of(level, tail).value_ms, "") : absent_cell(absence);
}

HtmlCell doubts_cell(const LevelResult& level) {
  std::set<std::string> ids;
  for (const Doubt& doubt : level.doubts) ids.insert(doubt.id);
  std::string words;
  for (const std::string& id : ids) words += (words.empty() ? "" : ", ") + id;
  return text_cell(words.empty() ? "none" : words);
}

HtmlCell window_cell(const LevelResult& level, double rate) {
  return number_cell(level.over_window(rate), no_window_reason);
}

HtmlCell offered_cell(const LevelResult& level) {
  if (level.level.kind == LevelKind::request_rate) return window_cell(level, level.offered_requests_per_s);
  return absent_cell("a closed loop offers no rate: a user sends when the last answer has ended");
}

HtmlTable carried_table(const RunReport& report) {
  const DrawnTail tail = drawn_tail(report);
  HtmlTable table("What each level carried");
  table.column("load")
      .column("arrivals", false)
      .column("ended", false)
      .column("verdict", false)
      .column("in flight, mean");
  table.column("offered, req/s").column("sent, req/s").column("completed, req/s").column("output, tok/s");
  table.column(tail.label() + ", ms").column("95% interval, ms").column("doubts", false);
  for (const LevelResult& level : report.levels) {
    const TailFigure figure = tail_of(level, tail);
    table.row({level_heading(level), text_cell(name(level.level.arrivals)), text_cell(state_words(level)),
               report.objectives.empty() ? absent_cell("no objective was set") : text_cell(name(level.verdict)),
               window_cell(level, level.in_flight_mean), offered_cell(level),
               window_cell(level, level.sent_requests_per_s), window_cell(level, level.completed_requests_per_s),
               number_cell(level.known_output_tokens_per_s(), no_tokens_reason), p99_cell(level, tail),
               interval_cell(figure.low_ms, figure.high_ms, open_end_reason), doubts_cell(level)});
  }
  return table.sortable();
}

HtmlCell fluidity_cell(const LevelResult& level, double Fluidity::* figure) {
  return percent_cell(level.fluidity ? std::optional((*level.fluidity).*figure) : std::nullopt, no_fluidity_reason);
}

HtmlTable seen_table(const RunReport& report) {
  HtmlTable table("What users saw, tokens/s, and goodput");
  table.column("load")
      .column("user rate p50")
      .column("user rate p10")
      .column("end-to-end rate p50")
      .column("end-to-end rate p10");
  table.column("aggregate per user").column("good, req/s").column("good, tok/s").column("attainment");
  table.column("fluidity p50").column("fluidity p10").column("share fluent");
  for (const LevelResult& level : report.levels) {
    table.row(
        {level_heading(level), number_cell(level.user_rate.p50, no_rate_reason),
         number_cell(level.user_rate.p10, no_rate_reason), number_cell(level.end_to_end_rate.p50, no_rate_reason),
         number_cell(level.end_to_end_rate.p10, no_rate_reason),
         number_cell(level.aggregate_per_user_tokens_per_s,
                     level.tokens_counted ? "nothing was in flight" : no_tokens_reason),
         number_cell(level.goodput_requests_per_s, no_limits_reason),
         number_cell(level.goodput_output_tokens_per_s, level.tokens_counted ? no_limits_reason : no_tokens_reason),
         percent_cell(level.attainment, no_limits_reason), fluidity_cell(level, &Fluidity::p50),
         fluidity_cell(level, &Fluidity::p10), fluidity_cell(level, &Fluidity::fluent_share)});
  }
  return table.sortable();
}

std::string reasons_list(const RunReport& report) {
  std::string items;
  for (const LevelResult& level : report.levels) {
    if (level.stability_reason.empty()) continue;
    items += fmt::format("<li><span class=\"where\">{}</span> {}</li>\n", escape_html(level_label(level.level)),
                         escape_html(level.stability_reason));
  }
  if (items.empty()) return "";
  return "<details><summary>Why each level ended</summary><ul class=\"list\">\n" + items + "</ul></details>\n";
}

// ---- latencies

using LatencyOf = LatencySummary LevelResult::*;

bool latency_exists(const RunReport& report, LatencyOf which) {
  return std::ranges::any_of(report.levels, [&](const LevelResult& level) { return (level.*which).n > 0; });
}

std::string latency_table(const RunReport& report, std::string_view heading, LatencyOf which) {
  if (!latency_exists(report, which)) return "";
  constexpr std::string_view none = "no request that succeeded has this latency";
  HtmlTable table(heading);
  table.column("load").column("n succeeded").column("n all").column("mean").column("p50").column("p90").column("p99");
  table.column("p99, failures infinite").column("95% interval").column("tau").column("n effective");
  for (const LevelResult& level : report.levels) {
    const LatencySummary& s = level.*which;
    constexpr std::string_view no_interval = "the interval was not determined";
    const std::string infinite_reason = level.stability == Stability::saturated ? p99_absence(level, Latency::ttft)
                                        : s.n_all == 0                          ? "no request has this latency"
                                                       : "more than 1% failed or never got so far: infinite";
    table.row({level_heading(level), count_cell(s.n), count_cell(s.n_all), number_cell(s.mean, none),
               number_cell(s.p50, none), number_cell(s.p90, none),
               number_cell(s.p99, level.stability == Stability::saturated ? std::string_view(infinite_reason) : none),
               number_cell(s.p99_failures_as_infinite, infinite_reason),
               interval_cell(s.p99_low, s.p99_high, open_end_reason), number_cell(s.tau, no_interval),
               number_cell(s.n_eff, no_interval)});
  }
  return table.sortable().html();
}

std::string verdict_table(const RunReport& report) {
  HtmlTable table("How each objective fared");
  table.column("load").column("objective", false).column("verdict", false).column("n judged").column("above the limit");
  table.column("share above, 95% interval").column("tau").column("its percentile, ms").column("95% interval, ms");
  table.column("p50, ms");
  for (const LevelResult& level : report.levels) {
    for (const ObjectiveResult& result : level.objectives) {
      table.row(
          {level_heading(level), text_cell(objective_label(result.objective)), text_cell(name(result.verdict)),
           count_cell(result.n), count_cell(result.above),
           html_cell(fmt::format("[{}, {}]", figure_percent(result.share_low), figure_percent(result.share_high))),
           number_cell(result.tau), number_cell(result.value_ms, infinite_or_unmeasured),
           interval_cell(result.low_ms, result.high_ms, open_end_reason),
           number_cell(result.of_class ? result.of_class->p50 : latency_of(level, result.objective.metric).p50,
                       "no request that succeeded has it")});
    }
  }
  return table.empty() ? "" : table.sortable().html();
}

}  // namespace

std::string levels_section(const RunReport& report) {
  if (report.levels.empty()) return "";
  return page_section("levels", "Levels",
                      carried_table(report).html() + seen_table(report).html() + reasons_list(report));
}

std::string latency_section(const RunReport& report) {
  std::string body = verdict_table(report);
  body += latency_table(report, "TTFT, ms: from due to the first output", &LevelResult::ttft_ms);
  body += latency_table(report, "First answer, ms: from due to the first text that is not reasoning",
                        &LevelResult::first_answer_ms);
  body += latency_table(report, "TPOT, ms per token", &LevelResult::tpot_ms);
  body += latency_table(report, "ITL, ms: gaps between consecutive tokens", &LevelResult::itl_ms);
  body += latency_table(report, "Chunk gaps, ms: chunks carry several tokens, so these are not ITL",
                        &LevelResult::chunk_gap_ms);
  body += latency_table(report, "E2E latency, ms: from due to the last output", &LevelResult::e2e_ms);
  body += latency_table(report, "Service TTFT, ms: from sent, without waiting in the client",
                        &LevelResult::service_ttft_ms);
  return body.empty() ? "" : page_section("latency", "Latency", body);
}

}  // namespace loadline
