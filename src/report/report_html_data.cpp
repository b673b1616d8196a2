#include <nlohmann/json.hpp>

#include "report/escape.h"
#include "report/report_html_sections.h"
#include "report/report_json_parts.h"
#include "report/svg_level.h"

namespace loadline {
namespace {

Json latency_data(const LatencySummary& summary) {
  return {{"n", summary.n},
          {"n_all", summary.n_all},
          {"p99", json_number(summary.p99)},
          {"p99_failures_as_infinite", json_number(summary.p99_failures_as_infinite)},
          {"p99_low", json_number(summary.p99_low)},
          {"p99_high", json_number(summary.p99_high)},
          {"n_eff", json_number(summary.n_eff)}};
}

Json level_data(const LevelResult& level) {
  return {{"kind", std::string(name(level.level.kind))},
          {"target", level.level.target},
          {"stability", std::string(name(level.stability))},
          {"verdict", std::string(name(level.verdict))},
          {"completed_requests_per_s", json_number(level.over_window(level.completed_requests_per_s))},
          {"aggregate_output_tokens_per_s", json_number(level.known_output_tokens_per_s())},
          {"ttft_ms", latency_data(level.ttft_ms)},
          {"tpot_ms", latency_data(level.tpot_ms)},
          {"itl_ms", latency_data(level.itl_ms)},
          {"e2e_ms", latency_data(level.e2e_ms)}};
}

/// Inside a script element only "</script" and "<!--" are dangerous; no "<", ">" or "&" at all is simpler to trust.
std::string for_script_element(const std::string& json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      safe += "\\u003c";
    else if (c == '>')
      safe += "\\u003e";
    else if (c == '&')
      safe += "\\u0026";
    else
      safe += c;
  }
  return safe;
}

}  // namespace

std::string page_data(const RunReport& report) {
  Json data;
  data["decision"] = escape_terminal(report.decision);
  data["sentence"] = escape_terminal(report.sentence);
  data["valid"] = report.valid;
  data["slo"] = Json::array();
  for (const Objective& objective : report.objectives) {
    data["slo"].push_back({{"metric", std::string(name(objective.metric))},
                           {"percentile", objective.percentile},
                           {"limit_ms", milliseconds(objective.limit)}});
  }
  data["levels"] = Json::array();
  for (const LevelResult& level : report.levels) data["levels"].push_back(level_data(level));
  return for_script_element(data.dump(-1, ' ', true, Json::error_handler_t::replace));
}

}  // namespace loadline
