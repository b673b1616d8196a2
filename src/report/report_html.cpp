#include "report/report_html.h"

#include <fmt/format.h>

#include "report/escape.h"
#include "report/html_document.h"
#include "report/prediction_words.h"
#include "report/report_html_sections.h"

namespace loadline {
namespace {

std::vector<PagePart> parts_of(const RunReport& report) {
  return {{"prediction", "Prediction", prediction_section(report)},
          {"load", "Load", load_section(report)},
          {"levels", "Levels", levels_section(report)},
          {"latency", "Latency", latency_section(report)},
          {"traffic", "Traffic", traffic_section(report)},
          {"cache", "Prefix cache", cache_section(report)},
          {"bound", "Bound", bound_section(report)},
          {"client", "The client", client_section(report)},
          {"facts", "Facts", facts_section(report)},
          {"books", "Durations and books", books_section(report)},
          {"method", "Method", method_section()},
          {"repeat", "Repeat this run", repeat_section(report)}};
}

std::string fact_value(const RunReport& report, std::string_view key) {
  for (const Fact& fact : report.facts) {
    if (fact.key == key && fact.source != FactSource::unknown) return fact.value;
  }
  return "";
}

std::string masthead(const RunReport& report) {
  std::string out = "<div class=\"masthead\"><b>loadline report</b>";
  const auto add = [&](const std::string& text) {
    if (!text.empty()) out += " <span>" + escape_html(text) + "</span>";
  };
  add(fact_value(report, "model.id"));
  const std::string engine = fact_value(report, "engine.name");
  add(engine.empty() ? "" : engine + " " + fact_value(report, "engine.version"));
  const std::string hardware = fact_value(report, "hardware.name");
  const std::string count = fact_value(report, "hardware.count");
  add(hardware.empty() || count.empty() ? hardware : count + " × " + hardware);
  add(report.target);
  add(report.started_utc);
  return out + "</div>\n";
}

std::string page_body(const RunReport& report) {
  return page_frame(masthead(report), answer_section(report), parts_of(report),
                    "Made by loadline " + report.version + " from the run's file alone.");
}

}  // namespace

std::string page_section(std::string_view id, std::string_view heading, std::string_view body) {
  return fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", id, heading, body);
}

std::string report_html(const RunReport& report) {
  const std::string title = report.sentence.empty() ? "loadline report" : "loadline: " + report.sentence;
  const std::string data =
      "<script type=\"application/json\" id=\"loadline-data\">" + page_data(report) + "</script>\n";
  return html_document(title, page_body(report) + data);
}

}  // namespace loadline
