#include <fmt/format.h>

#include "report/escape.h"
#include "report/number_words.h"
#include "report/report_html_sections.h"
#include "report/report_html_table.h"
#include "report/sample_words.h"
#include "report/svg_level.h"
#include "report/trace_stats_words.h"

namespace loadline {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

void add_lengths(HtmlTable& table, std::string_view heading, const LengthSummary& lengths, const HtmlCell& distance,
                 std::string_view reason) {
  std::vector<HtmlCell> cells = {text_cell(heading)};
  if (lengths.n == 0) {
    cells.insert(cells.end(), 9, absent_cell(reason));
  } else {
    cells.push_back(count_cell(lengths.n));
    for (const std::int64_t value :
         {lengths.min, lengths.p10, lengths.p50, lengths.p90, lengths.p99, lengths.p99_9, lengths.max}) {
      cells.push_back(number_cell(static_cast<double>(value)));
      cells.back().html = figure_count(value);
    }
    cells.push_back(number_cell(lengths.mean));
  }
  cells.push_back(distance);
  table.row(std::move(cells));
}

std::string lengths_table(const RunReport& report) {
  constexpr std::string_view no_log = "there is no log: the lengths are assumed";
  constexpr std::string_view nothing_sent = "no succeeded request told its length";
  constexpr std::string_view no_distance = "needs a log and requests";
  const HtmlCell same = html_cell("reference");
  const bool estimated = report.log && report.log->tokens_estimated;
  HtmlTable table(estimated ? "Lengths in tokens, the log (estimated) against what was sent, as the server counted it"
                            : "Lengths in tokens, the log against what was sent, as the server counted it");
  table.column("tokens", false)
      .column("n")
      .column("min")
      .column("p10")
      .column("p50")
      .column("p90")
      .column("p99")
      .column("p99.9");
  table.column("max").column("mean").column("KS distance");
  add_lengths(table, with_token_origin("prompt, log", estimated), report.log_prompt_tokens, same, no_log);
  add_lengths(table, "prompt, sent", report.sent_prompt_tokens, number_cell(report.prompt_ks, no_distance),
              nothing_sent);
  add_lengths(table, with_token_origin("completion, log", estimated), report.log_completion_tokens, same, no_log);
  add_lengths(table, "completion, sent", report.sent_completion_tokens, number_cell(report.completion_ks, no_distance),
              nothing_sent);
  return table.html();
}

/// What was drawn, before anything was sent: another distance than that of the lengths above.
std::string drawn_table(const RunReport& report) {
  if (!report.sample) return "";
  constexpr std::string_view untold = "the log does not tell the lengths";
  constexpr std::string_view no_sharing = "sharing is unknown";
  const SampleDistance& sample = *report.sample;
  HtmlTable table("The requests as they were drawn, against the log");
  table.column("sampler", false).column("KS distance, prompt").column("KS distance, completion");
  table.column("token hit rate, log").column("token hit rate, drawn").column("before long prompts were cut or dropped");
  table.row(
      {text_cell(report.sampler), number_cell(sample.prompt_ks, untold), number_cell(sample.completion_ks, untold),
       percent_cell(sample.log_hit_rate, no_sharing), percent_cell(sample.sample_hit_rate, no_sharing),
       percent_cell(sample.uncut_hit_rate, sample.sample_hit_rate ? "no prompt was cut or dropped" : no_sharing)});
  return table.html();
}

void add_drawing(Pairs& pairs, const RunReport& report) {
  if (!report.sampler.empty()) pairs.emplace_back("Sampler", escape_html(report.sampler));
  if (!report.content.empty()) pairs.emplace_back("Content of the prompts", escape_html(report.content));
  if (report.log) pairs.emplace_back("Lengths of the log", escape_html(tokens_words(*report.log)));
  const std::string over = over_limit_words(report.cut_prompts, report.dropped_prompts);
  if (!over.empty()) pairs.emplace_back("Over the limit", escape_html(over));
  if (report.template_tokens) {
    pairs.emplace_back("Chat template", figure_number(*report.template_tokens) +
                                            " prompt tokens that the server counts above those planned, mean");
  }
}

std::string log_facts(const TraceStats& log) {
  Pairs pairs = {{"Log", escape_html(log.source + (log.format.empty() ? "" : ", format " + log.format))},
                 {"Rows used", figure_count(log.rows) + " of " + figure_count(log.read) + " read"}};
  if (const std::string started = started_text(log); !started.empty())
    pairs.emplace_back("Started", escape_html(started_words(log)));
  for (const auto& [reason, refused] : log.refused) {
    const std::string lines = escape_html(refused_lines(refused));
    pairs.emplace_back("Refused: " + reason, figure_count(refused.count) + (lines.empty() ? "" : ", " + lines));
  }
  for (const auto& [reason, count] : log.filtered) pairs.emplace_back("Filtered: " + reason, figure_count(count));
  if (log.arrivals) {
    pairs.emplace_back("Span", figure_number(log.arrivals->span_s) + " s");
    if (log.arrivals->rate_per_s)
      pairs.emplace_back("Mean rate", figure_number(*log.arrivals->rate_per_s) + " requests/s");
    pairs.emplace_back("Busiest second, minute", figure_count(log.arrivals->busiest_1s) + ", " +
                                                     figure_count(log.arrivals->busiest_60s) + " requests");
  }
  if (log.sharing) {
    pairs.emplace_back("Prefix sharing of the log",
                       figure_percent(log.sharing->token_hit_rate) + " of prompt tokens with an unbounded cache");
  }
  for (const std::string& remark : log.remarks) pairs.emplace_back("Remark", escape_html(remark));
  return definition_list(pairs);
}

HtmlTable level_lengths(const RunReport& report) {
  constexpr std::string_view untold = "no succeeded request told its length";
  const bool estimated = report.log && report.log->tokens_estimated;
  HtmlTable table(estimated ? "Lengths by level, tokens of succeeded requests; those of the log are estimated"
                            : "Lengths by level, tokens of succeeded requests");
  table.column("load").column("prompt p50").column("prompt p90").column("prompt p99");
  table.column("completion p50").column("completion p90").column("completion p99").column("length obeyed");
  for (const LevelResult& level : report.levels) {
    std::vector<HtmlCell> cells = {setting_cell(level.level.target, level_label(level.level))};
    for (const LengthSummary* lengths : {&level.prompt_tokens, &level.completion_tokens}) {
      for (const std::int64_t value : {lengths->p50, lengths->p90, lengths->p99}) {
        cells.push_back(lengths->n == 0 ? absent_cell(untold) : number_cell(static_cast<double>(value)));
      }
    }
    cells.push_back(percent_cell(level.lengths_obeyed_share, "no length was forced, or none was told"));
    table.row(std::move(cells));
  }
  return table.sortable();
}

}  // namespace

std::string traffic_section(const RunReport& report) {
  Pairs pairs;
  if (!report.input_source.empty()) pairs.emplace_back("Source", escape_html(report.input_source));
  if (!report.assumption.empty()) pairs.emplace_back("Assumption", escape_html(report.assumption));
  add_drawing(pairs, report);
  if (report.prefix_sharing_rate)
    pairs.emplace_back("Prefix sharing rate", figure_percent(*report.prefix_sharing_rate));
  if (report.busiest_minute_requests_per_s) {
    pairs.emplace_back("Busiest minute", figure_number(*report.busiest_minute_requests_per_s) + " requests/s");
  }
  std::string body = definition_list(pairs) + drawn_table(report) + lengths_table(report);
  if (report.log) body += "<h3>The log</h3>\n" + log_facts(*report.log);
  const HtmlTable by_level = level_lengths(report);
  if (!by_level.empty()) body += by_level.html();
  return page_section("traffic", "Traffic", body);
}

std::string cache_section(const RunReport& report) {
  constexpr std::string_view unmeasurable = "the server tells neither in its usage nor in its counters";
  constexpr std::string_view no_target = "no target was set";
  HtmlTable table("Prefix cache hit rate, share of prompt tokens");
  table.column("where", false).column("target").column("measured").column("source", false);
  table.row({text_cell("run, state " + (report.cache_state.empty() ? "unknown" : report.cache_state)),
             percent_cell(report.cache_target_rate, no_target), percent_cell(report.cache_measured_rate, unmeasurable),
             text_cell("")});
  for (const LevelResult& level : report.levels) {
    table.row({text_cell(level_label(level.level)), percent_cell(level.cache.target_rate, no_target),
               percent_cell(level.cache.measured_rate, unmeasurable),
               text_cell(level.cache.source.empty() ? "not measurable" : level.cache.source)});
  }
  return page_section("cache", "Prefix cache", table.html());
}

}  // namespace loadline
