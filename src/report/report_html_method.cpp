#include <fmt/format.h>

#include "report/escape.h"
#include "report/number_words.h"
#include "report/report_html_sections.h"
#include "report/report_html_table.h"

namespace loadline {
namespace {

struct MethodNote {
  const char* name;
  const char* formula;
};
constexpr MethodNote method_notes[] = {
    {"due", "the instant the schedule asked for the request; in a closed loop, the instant of sending"},
    {"TTFT", "first output chunk − due; waiting inside the client counts"},
    {"E2E latency", "last output chunk − due"},
    {"TPOT", "(last − first output chunk) / (output tokens − tokens of the first chunk)"},
    {"ITL", "differences between arrivals of consecutive tokens; only where every chunk carries one token"},
    {"user rate", "1 / TPOT, tokens/s while text flows; p10 is the slow tenth"},
    {"end-to-end rate", "output tokens / E2E latency"},
    {"aggregate per user", "output tok/s / mean in flight"},
    {"output, tok/s", "output tokens of succeeded requests received in the window / its length"},
    {"completed, req/s", "succeeded requests planned in the window / its length"},
    {"good, req/s", "succeeded requests that meet every per-request limit / length of the window"},
    {"good, tok/s", "output tok/s × output tokens of good requests / those of succeeded requests"},
    {"attainment", "good requests / requests of the window"},
    {"p99",
     "nearest rank: the value number ⌈0.99 n⌉ in ascending order; of succeeded requests, and apart with every failure as infinite"},
    {"95% interval of p99",
     "order statistics at beta quantiles with n / (tau × 2.007) effective requests; tau from batch means, because neighbours depend on each other"},
    {"verdict",
     "over or under where the 95% interval (Clopper-Pearson) of the share above the limit lies wholly above or below what the percentile allows"},
    {"capacity",
     "request rate at the load where that share, modelled over all levels, reaches what the percentile allows"},
    {"tau", "how many dependent requests tell as much as one independent one"},
    {"KS distance", "largest difference between the two cumulative distributions, 0 to 1"},
    {"request ceiling", "1 / max(bytes moved / bandwidth, operations / compute) per request, times its output tokens"},
};

std::string plan_lines(const std::string& yaml) {
  std::string out;
  for (std::size_t at = 0; at < yaml.size();) {
    const std::size_t end = std::min(yaml.find('\n', at), yaml.size());
    out += escape_html(std::string_view(yaml).substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return out;
}

}  // namespace

std::string method_section() {
  std::string body = "<dl class=\"method\">\n";
  for (const MethodNote& note : method_notes)
    body += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", note.name, note.formula);
  return page_section("method", "Method", body + "</dl>\n");
}

std::string repeat_section(const RunReport& report) {
  std::string body;
  if (!report.command.empty()) {
    body += fmt::format("<pre class=\"command\" tabindex=\"0\" aria-label=\"Command\"><code>{}</code></pre>\n",
                        escape_html(report.command));
  }
  std::vector<std::pair<std::string, std::string>> pairs;
  const auto add = [&](const char* term, const std::string& text) {
    if (!text.empty()) pairs.emplace_back(term, escape_html(text));
  };
  add("loadline", report.version);
  add("Started (UTC)", report.started_utc);
  add("Target", report.target);
  add("Seed", fmt::format("{}", report.seed));
  add("Prompt salt", report.salt);
  add("Engine time / wall time", figure_setting(report.engine_speed));
  body += definition_list(pairs);
  if (!report.plan_yaml.empty()) {
    body += fmt::format(
        "<details><summary>The effective plan</summary><pre tabindex=\"0\" aria-label=\"Plan\"><code>{}</code></pre></details>\n",
        plan_lines(report.plan_yaml));
  }
  return page_section("repeat", "Repeat this run", body);
}

}  // namespace loadline
