#include <fmt/format.h>

#include "report/curve_svg.h"
#include "report/escape.h"
#include "report/number_words.h"
#include "report/report_html_sections.h"
#include "report/report_html_table.h"
#include "report/svg_level.h"
#include "report/svg_load.h"

namespace loadline {
namespace {

std::string curve_data(const RunReport& report) {
  const DrawnTail tail = drawn_tail(report);
  HtmlTable table("Data of the curve");
  table.column("load").column("output, tok/s").column(tail.label() + ", ms").column("95% interval, ms");
  table.column("state", false);
  for (const LevelResult& level : report.levels) {
    const std::string absence = p99_absence(level, tail);
    const TailFigure figure = tail_of(level, tail);
    table.row({setting_cell(level.level.target, level_label(level.level)),
               number_cell(level.known_output_tokens_per_s(), no_tokens_reason),
               absence.empty() ? number_cell(figure.value_ms, "") : absent_cell(absence),
               interval_cell(figure.low_ms, figure.high_ms, open_end_reason),
               text_cell(level.stability == Stability::not_stabilised ? "not stabilised" : name(level.stability))});
  }
  return table.sortable().html();
}

std::string load_data(const RunReport& report) {
  HtmlTable table("Data of the figure");
  table.column("load")
      .column("p99 TTFT, ms")
      .column("95% interval, ms")
      .column("completed, req/s")
      .column("good, req/s");
  table.column("attainment");
  for (const LevelResult& level : report.levels) {
    if (level.level.kind != drawn_kind(report)) continue;
    const std::string absence = p99_absence(level, Latency::ttft);
    table.row({setting_cell(level.level.target, level_label(level.level)),
               absence.empty() ? number_cell(level.ttft_ms.p99_failures_as_infinite, "") : absent_cell(absence),
               interval_cell(level.ttft_ms.p99_low, level.ttft_ms.p99_high, open_end_reason),
               number_cell(level.over_window(level.completed_requests_per_s), no_window_reason),
               number_cell(level.goodput_requests_per_s, no_limits_reason),
               percent_cell(level.attainment, no_limits_reason)});
  }
  return table.sortable().html();
}

std::string with_class(std::string_view svg, std::string_view css) {
  std::string out(svg);
  const std::string_view plain = "class=\"figure\"";
  const std::size_t at = out.find(plain);
  if (at != std::string::npos) out.replace(at, plain.size(), fmt::format("class=\"figure {}\"", css));
  return out;
}

}  // namespace

std::string page_figure(std::string_view wide, std::string_view narrow, std::string_view data_table) {
  std::string out = fmt::format("<div class=\"plot\">\n{}{}</div>\n<p class=\"status\" role=\"status\"></p>\n",
                                with_class(wide, "wide"), with_class(narrow, "narrow"));
  if (data_table.empty()) return out;
  return out +
         fmt::format("<details class=\"data\"><summary>Data of this figure</summary>\n{}</details>\n", data_table);
}

std::string curve_section(const RunReport& report) {
  if (report.levels.empty()) {
    return "<section id=\"curve\" class=\"figure-box\"><h2>Load line</h2><p class=\"quiet\">No level was measured.</p></section>\n";
  }
  return fmt::format(
      "<section id=\"curve\" class=\"figure-box\"><h2>Load line <small>output throughput against {}, one point a level"
      "</small></h2>\n{}</section>\n",
      escape_html(drawn_tail(report).label()),
      page_figure(curve_figure(report, FigureFormat::wide), curve_figure(report, FigureFormat::narrow),
                  curve_data(report)));
}

std::string load_section(const RunReport& report) {
  const std::string wide = load_figure(report, FigureFormat::wide);
  if (wide.empty()) return "";
  return page_section("load", "Tail and useful work against load",
                      page_figure(wide, load_figure(report, FigureFormat::narrow), load_data(report)));
}

}  // namespace loadline
