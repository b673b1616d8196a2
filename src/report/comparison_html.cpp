#include "report/comparison_html.h"

#include <fmt/format.h>

#include "report/comparison_figure.h"
#include "report/comparison_rows.h"
#include "report/escape.h"
#include "report/html_document.h"
#include "report/labels.h"
#include "report/report_html_sections.h"
#include "report/report_html_table.h"

namespace loadline {
namespace {

std::string compared_masthead(const Comparison& comparison) {
  return "<div class=\"masthead\"><b>loadline comparison</b> <span>A: " + escape_html(comparison.a) +
         "</span> <span>B: " + escape_html(comparison.b) + "</span></div>\n";
}

std::string compared_answer(const Comparison& comparison, const std::optional<Gate>& gate) {
  std::string out = "<header class=\"answer\">\n";
  if (gate) out += fmt::format("<p class=\"sizing\"><b>{}</b></p>\n", escape_html(gate->sentence));
  out += fmt::format("<h1>{}</h1>\n", escape_html(comparison.sentence));
  if (comparison.manifest.comparability == Comparability::refused) {
    out +=
        "<p class=\"notice bad\"><b>Not comparable.</b> More than one thing differs, or nobody can say what does: no "
        "number below says what made the difference.</p>\n";
  } else if (!comparison.valid) {
    out += "<p class=\"notice bad\"><b>Not valid.</b> A doubt of one of the runs invalidates it.</p>\n";
  }
  return out + "</header>\n";
}

HtmlTable curve_data_of(const RunReport& a, const RunReport& b, Latency metric) {
  HtmlTable table("Levels of both sides");
  table.column("side", false).column("load", false).column("pass");
  table.column("p99 " + metric_label(metric) + ", ms").column("output, tok/s");
  for (const auto& [report, side] : {std::pair(&a, "A"), std::pair(&b, "B")}) {
    for (const LevelResult& level : report->levels) {
      table.row({text_cell(side), text_cell(level_label(level.level)), count_cell(level.level.pass),
                 number_cell(latency_of(level, metric).p99_failures_as_infinite, p99_absence(level, metric)),
                 number_cell(level.known_output_tokens_per_s(), no_tokens_reason)});
    }
  }
  return table;
}

std::string curves_part(const RunReport& a, const RunReport& b) {
  const Latency metric = drawn_metric(a);
  return page_section("curves", "Both curves",
                      page_figure(comparison_figure(a, b, FigureFormat::wide),
                                  comparison_figure(a, b, FigureFormat::narrow), curve_data_of(a, b, metric).html()));
}

std::string ratios_part(const Comparison& comparison) {
  if (comparison.ratios.empty()) return "";
  HtmlTable table("B over A, the ratio that decides first");
  for (const std::string& header : ratio_headers()) table.column(header, false);
  for (const RatioRow& row : ratio_rows(comparison)) {
    table.row({text_cell(row.load), text_cell(row.metric), text_cell(row.a), text_cell(row.b), text_cell(row.ratio),
               text_cell(row.interval), text_cell(row.verdict), text_cell(row.how)});
  }
  std::string body = table.html();
  for (const std::string& note : comparison_notes(comparison))
    body += fmt::format("<p class=\"quiet\">{}</p>\n", escape_html(note));
  return page_section("ratios", "Ratios", body);
}

std::string facts_part(const Comparison& comparison) {
  std::string body;
  for (const FactLines& facts : fact_lines(comparison)) {
    body += fmt::format("<h3>{}</h3>\n<ul>\n", escape_html(facts.heading));
    for (const std::string& line : facts.lines) body += fmt::format("<li>{}</li>\n", escape_html(line));
    body += "</ul>\n";
  }
  if (body.empty()) body = "<p class=\"quiet\">Nothing: the two manifests are equal.</p>\n";
  return page_section("facts", "What differs", body);
}

}  // namespace

std::string comparison_html(const Comparison& comparison, const RunReport& a, const RunReport& b,
                            const std::optional<Gate>& gate) {
  const std::vector<PagePart> parts = {{"curves", "Both curves", curves_part(a, b)},
                                       {"ratios", "Ratios", ratios_part(comparison)},
                                       {"facts", "What differs", facts_part(comparison)}};
  return html_document("loadline comparison: " + comparison.sentence,
                       page_frame(compared_masthead(comparison), compared_answer(comparison, gate), parts,
                                  "Made by loadline " + comparison.version + " from the files of the two runs alone."));
}

}  // namespace loadline
