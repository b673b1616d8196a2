#include <fmt/format.h>

#include "report/escape.h"
#include "report/number_words.h"
#include "report/report_html_sections.h"
#include "report/report_html_table.h"
#include "report/trace_page_sections.h"
#include "report/trace_stats_words.h"

namespace loadline {
namespace {

std::string length_sentence(std::string_view name, const LengthSummary& lengths) {
  if (lengths.n == 0) return fmt::format("{} lengths unknown", name);
  return fmt::format("{} p50 {}, p99 {}", name, figure_count(lengths.p50), figure_count(lengths.p99));
}

/// "19,366 requests in 3,502 s: prompt p50 1,020, p99 4,142 and completion p50 129, p99 601 tokens, estimated"
std::string log_sentence(const TraceStats& stats) {
  const std::string span = stats.arrivals ? fmt::format(" in {} s", figure_number(stats.arrivals->span_s)) : "";
  return with_token_origin(fmt::format("{} requests{}: {} and {} tokens", figure_count(stats.rows), span,
                                       length_sentence("prompt", stats.prompt_tokens),
                                       length_sentence("completion", stats.completion_tokens)),
                           stats.tokens_estimated);
}

std::string model_words(const TraceStatsExtras& extras) {
  if (!extras.kv_bytes_per_token) return extras.model + ", its KV bytes a token unknown";
  return fmt::format("{}{}{} KV bytes a token", extras.model, extras.model.empty() ? "" : ", ",
                     figure_setting(*extras.kv_bytes_per_token));
}

}  // namespace

std::string trace_answer_section(const TraceStats& stats, const TraceStatsExtras& extras) {
  std::vector<std::pair<std::string, std::string>> facts = {
      {"Rows used", figure_count(stats.rows) + " of " + figure_count(stats.read) + " read"},
      {"Started", escape_html(started_words(stats))},
      {"Lengths", escape_html(tokens_words(stats))}};
  if (extras.kv_bytes_per_token || !extras.model.empty()) facts.emplace_back("Model", escape_html(model_words(extras)));
  std::string out =
      "<section class=\"answer\">\n<h1>" + escape_html(log_sentence(stats)) + "</h1>\n" + definition_list(facts);
  for (const std::string& remark : stats.remarks) out += "<p class=\"notice\">" + escape_html(remark) + "</p>\n";
  return out + "</section>\n";
}

std::string trace_books_section(const TraceStats& stats) {
  HtmlTable table("Rows of the log: read = used + refused + filtered");
  table.column("rows", false).column("why", false).column("count").column("first lines", false);
  table.row({text_cell("read"), text_cell(""), count_cell(stats.read), text_cell("")});
  table.row({text_cell("used"), text_cell(""), count_cell(stats.rows), text_cell("")});
  for (const auto& [reason, refused] : stats.refused)
    table.row({text_cell("refused"), text_cell(reason), count_cell(refused.count), text_cell(refused_lines(refused))});
  for (const auto& [reason, count] : stats.filtered)
    table.row({text_cell("filtered"), text_cell(reason), count_cell(count), text_cell("")});
  return page_section("books", "Books", table.html());
}

}  // namespace loadline
