#include "report/report_html.h"

#include <fmt/format.h>

#include <cstdint>

#include "report/escape.h"
#include "report/report_html_sections.h"

namespace loadline {
namespace {

struct PagePart {
  const char* id;
  const char* name;
  std::string html;
};

std::vector<PagePart> parts_of(const RunReport& report) {
  return {{"load", "Load", load_section(report)},
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
  const std::vector<PagePart> parts = parts_of(report);
  std::string body = "<a class=\"skip\" href=\"#main\">To the result</a>\n<div class=\"page\">\n" + masthead(report);
  body += "<main id=\"main\">\n" + answer_section(report) + "<nav class=\"contents\" aria-label=\"Contents\">\n";
  for (const PagePart& part : parts) {
    if (!part.html.empty()) body += fmt::format("<a href=\"#{}\">{}</a>\n", part.id, part.name);
  }
  body += "</nav>\n<div class=\"body\">\n";
  for (const PagePart& part : parts) body += part.html;
  body += "</div>\n</main>\n";
  return body +
         fmt::format(
             "<footer>Made by loadline {} from the run's file alone. – marks a number that does not exist; it is never 0.</footer>\n</div>\n",
             escape_html(report.version));
}

/// FNV-1a: names this page's own style and script to the policy, so that nothing else inline is run. It need not be a
/// secret from the reader, only unknown to whoever wrote a text that the page shows: it depends on the whole page.
std::string page_nonce(std::string_view body) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const char c : body) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return fmt::format("{:016x}", hash);
}

}  // namespace

std::string page_section(std::string_view id, std::string_view heading, std::string_view body) {
  return fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", id, heading, body);
}

std::string report_html(const RunReport& report) {
  const std::string body = page_body(report);
  const std::string nonce = page_nonce(body);
  const std::string title = report.sentence.empty() ? "loadline report" : "loadline: " + report.sentence;
  std::string page = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += fmt::format(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'nonce-{0}'; "
      "script-src 'nonce-{0}'; base-uri 'none'; form-action 'none'\">\n",
      nonce);
  page +=
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n";
  page += "<title>" + escape_html(title) + "</title>\n";
  page += fmt::format("<style nonce=\"{}\">\n{}</style>\n</head>\n<body>\n", nonce, page_style());
  page += body;
  page += "<script type=\"application/json\" id=\"loadline-data\">" + page_data(report) + "</script>\n";
  return page + fmt::format("<script nonce=\"{}\">\n{}</script>\n</body>\n</html>\n", nonce, page_script());
}

}  // namespace loadline
