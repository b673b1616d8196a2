#include "report/level_table.h"

#include <algorithm>
#include <functional>

#include "report/number_words.h"
#include "report/svg_level.h"

namespace loadline {
namespace {

/// How a column is headed, what it shows of a level, and what of the operating point.
struct ColumnRule {
  TextColumn column;
  std::function<std::string(const LevelResult&)> of_level;
  std::function<std::string(const Capacity&)> of_point;
};

std::string nothing_of_point(const Capacity&) { return ""; }

std::string shown_p99(const LevelResult& level, const LatencySummary& latency) {
  if (latency.p99_failures_as_infinite) return figure_number(*latency.p99_failures_as_infinite);
  if (level.stability == Stability::saturated || latency.n_all == 0 || latency.n == latency.n_all) return absent_mark;
  return "infinite";
}

std::string of_tokens(const Capacity& point) {
  return point.output_tokens_per_s.value > 0 ? figure_number(point.output_tokens_per_s.value) : absent_mark;
}

void add_latency_rules(std::vector<ColumnRule>& rules, const RunReport& report, Latency metric, int rank) {
  const std::string label = metric == Latency::e2e ? "E2E" : metric_label(metric);
  const auto limit_of = [&report, metric](const Capacity& point) -> std::string {
    if (point.binding_objective >= report.objectives.size()) return "";
    const Objective& objective = report.objectives[point.binding_objective];
    const bool shown_here = objective.metric == metric && is_p99_of_all(objective);
    return shown_here ? figure_setting(milliseconds(objective.limit)) : "";
  };
  const auto latency = [metric](const LevelResult& level) -> const LatencySummary& {
    return latency_of(level, metric);
  };
  rules.push_back({{label + " p50", "ms", true, rank + 1},
                   [=](const LevelResult& level) { return figure_number(latency(level).p50); },
                   nothing_of_point});
  rules.push_back({{label + " p99", "ms", true, rank},
                   [=](const LevelResult& level) { return shown_p99(level, latency(level)); },
                   limit_of});
  rules.push_back(
      {{"95% interval", "ms", true, rank + 2},
       [=](const LevelResult& level) { return figure_interval(latency(level).p99_low, latency(level).p99_high); },
       nothing_of_point});
}

/// The percentiles that objectives of all requests limit, beside p99.
void add_percentile_rules(std::vector<ColumnRule>& rules, const RunReport& report) {
  for (std::size_t i = 0; i < report.objectives.size(); ++i) {
    const Objective& objective = report.objectives[i];
    if (objective.of || is_p99_of_all(objective)) continue;
    const double limit_ms = milliseconds(objective.limit);
    rules.push_back({{percentile_label(objective.percentile) + " " + metric_label(objective.metric), "ms", true, 2},
                     [i](const LevelResult& level) {
                       return i < level.objectives.size() ? figure_number(level.objectives[i].value_ms) : absent_mark;
                     },
                     [i, limit_ms](const Capacity& point) -> std::string {
                       return point.binding_objective == i ? figure_setting(limit_ms) : "";
                     }});
  }
}

void add_load_rules(std::vector<ColumnRule>& rules, LevelKind kind) {
  const bool closed = kind == LevelKind::concurrency;
  rules.push_back({{closed ? "users" : "asked", closed ? "" : "req/s", true, 0},
                   [](const LevelResult& level) { return figure_setting(level.level.target); },
                   [](const Capacity& point) { return figure_number(point.load.value); }});
  if (!closed) {
    rules.push_back(
        {{"offered", "req/s", true, 1},
         [](const LevelResult& level) { return figure_number(level.over_window(level.offered_requests_per_s)); },
         nothing_of_point});
  }
  rules.push_back({{"output", "tok/s", true, 0},
                   [](const LevelResult& level) { return figure_number(level.known_output_tokens_per_s()); },
                   of_tokens});
  rules.push_back(
      {{"requests", "per s", true, 1},
       [](const LevelResult& level) { return figure_number(level.over_window(level.completed_requests_per_s)); },
       [](const Capacity& point) { return figure_number(point.requests_per_s.value); }});
}

void add_user_rules(std::vector<ColumnRule>& rules) {
  rules.push_back({{"user p50", "tok/s", true, 6},
                   [](const LevelResult& level) { return figure_number(level.user_rate.p50); },
                   nothing_of_point});
  rules.push_back({{"user p10", "tok/s", true, 9},
                   [](const LevelResult& level) { return figure_number(level.user_rate.p10); },
                   nothing_of_point});
  rules.push_back({{"goodput", "req/s", true, 7},
                   [](const LevelResult& level) { return figure_number(level.goodput_requests_per_s); },
                   nothing_of_point});
  rules.push_back({{"attained", "", true, 8},
                   [](const LevelResult& level) { return figure_percent(level.attainment); },
                   nothing_of_point});
  rules.push_back({{"fluent", "", true, 8},
                   [](const LevelResult& level) {
                     return level.fluidity ? figure_percent(level.fluidity->fluent_share) : absent_mark;
                   },
                   nothing_of_point});
}

std::string stability_words(const LevelResult& level) {
  return level.stability == Stability::not_stabilised ? "not stabilised" : std::string(name(level.stability));
}

void add_verdict_rules(std::vector<ColumnRule>& rules) {
  rules.push_back({{"n", "requests", true, 5},
                   [](const LevelResult& level) { return figure_count(level.measured_requests); },
                   nothing_of_point});
  rules.push_back({{"verdict", "", false, 0},
                   [](const LevelResult& level) {
                     return level.objectives.empty() ? absent_mark : std::string(name(level.verdict));
                   },
                   [](const Capacity&) { return std::string("operating point"); }});
  rules.push_back({{"ended", "", false, 5}, stability_words, nothing_of_point});
}

std::vector<ColumnRule> column_rules(const RunReport& report, LevelKind kind) {
  const auto limited = [&](Latency metric) {
    return std::ranges::find(report.objectives, metric, &Objective::metric) != report.objectives.end();
  };
  std::vector<ColumnRule> rules;
  add_load_rules(rules, kind);
  add_latency_rules(rules, report, Latency::ttft, 1);
  add_latency_rules(rules, report, Latency::tpot, limited(Latency::tpot) ? 2 : 4);
  for (const Latency metric : {Latency::itl, Latency::e2e}) {
    if (limited(metric)) add_latency_rules(rules, report, metric, 2);
  }
  add_percentile_rules(rules, report);
  add_user_rules(rules);
  add_verdict_rules(rules);
  return rules;
}

LevelTable table_of(const RunReport& report, LevelKind kind, bool with_visits) {
  std::vector<const LevelResult*> levels;
  for (const LevelResult& level : report.levels) {
    if (level.level.kind != kind) continue;
    if (with_visits || level.level.purpose != LevelPurpose::visit) levels.push_back(&level);
  }
  std::ranges::stable_sort(levels, {}, [](const LevelResult* level) { return level->level.target; });
  const std::vector<ColumnRule> rules = column_rules(report, kind);
  LevelTable table;
  for (const ColumnRule& rule : rules) table.columns.push_back(rule.column);
  for (const LevelResult* level : levels) {
    LevelRow row;
    for (const ColumnRule& rule : rules) row.cells.push_back(rule.of_level(*level));
    table.rows.push_back(std::move(row));
  }
  const auto& point = report.operating_point;
  if (table.rows.empty() || !point || point->kind != kind || !point->estimate_exists) return table;
  LevelRow row{true, {}};
  for (const ColumnRule& rule : rules) row.cells.push_back(rule.of_point(*point));
  const auto place = std::ranges::upper_bound(levels, point->load.value, {},
                                              [](const LevelResult* level) { return level->level.target; });
  table.rows.insert(table.rows.begin() + (place - levels.begin()), std::move(row));
  return table;
}

}  // namespace

LevelTable level_table(const RunReport& report, LevelKind kind) { return table_of(report, kind, true); }
LevelTable curve_table(const RunReport& report, LevelKind kind) { return table_of(report, kind, false); }

}  // namespace loadline
