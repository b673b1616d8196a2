#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/escape.h"
#include "report/number_words.h"
#include "report/report_html_sections.h"
#include "report/report_html_table.h"
#include "report/svg_level.h"
#include "report/sweep_words.h"

namespace loadline {
namespace {

struct Reading {
  std::string name, value, unit, remark;
  bool main = false;
};

std::string estimate_remark(const Estimate& estimate) {
  if (!estimate.low && !estimate.high) return "no interval";
  return "95% interval " + figure_interval(estimate.low, estimate.high);
}

Reading capacity_reading(const Capacity& capacity, bool main) {
  const bool closed = capacity.kind == LevelKind::concurrency;
  Reading reading{closed ? "Capacity, closed loop" : "Capacity, open loop", absent_mark, "req/s", "", main};
  const Estimate& rate = capacity.requests_per_s;
  if (capacity.estimate_exists) {
    reading.value = figure_number(rate.value);
    reading.remark = estimate_remark(rate);
    if (closed)
      reading.remark += fmt::format("; {} users who wait for each answer", figure_number(capacity.load.value));
    else
      reading.remark += "; requests come whether or not others have ended";
  } else if (capacity.crossing == Crossing::above_last_level && rate.low) {
    reading.value = "≥ " + figure_number(*rate.low);
    reading.remark = "no level crossed the objective: the highest load still meets it";
  } else if (capacity.crossing == Crossing::below_first_level && rate.high) {
    reading.value = "< " + figure_number(*rate.high);
    reading.remark = "the first level misses the objective already";
  } else if (capacity.interpolated) {
    reading.value = figure_number(capacity.interpolated->requests_per_s);
    reading.remark = "interpolated on the drawn curve, no interval";
  } else {
    reading.remark = "the levels do not determine it";
  }
  return reading;
}

std::vector<Reading> capacity_readings(const RunReport& report) {
  std::vector<Reading> readings;
  const bool open_leads = report.operating_point && report.operating_point->kind == LevelKind::request_rate;
  if (report.curve.open && open_leads) readings.push_back(capacity_reading(*report.curve.open, true));
  if (report.curve.closed) readings.push_back(capacity_reading(*report.curve.closed, !open_leads));
  if (report.curve.open && !open_leads) readings.push_back(capacity_reading(*report.curve.open, false));
  if (readings.empty() && report.operating_point) readings.push_back(capacity_reading(*report.operating_point, true));
  if (report.operating_point && report.operating_point->estimate_exists &&
      report.operating_point->output_tokens_per_s.value > 0) {
    const Estimate& tokens = report.operating_point->output_tokens_per_s;
    readings.push_back(
        {"Output at the operating point", figure_number(tokens.value), "tok/s", estimate_remark(tokens)});
  }
  return readings;
}

std::vector<Reading> readings_of(const RunReport& report) {
  std::vector<Reading> readings = capacity_readings(report);
  if (report.sizing.replicas) {
    readings.push_back({"Replicas", figure_number(report.sizing.replicas->value), "",
                        estimate_remark(*report.sizing.replicas) + "; busiest minute / capacity"});
  }
  if (report.sizing.cost_per_million_output_tokens) {
    readings.push_back({"Cost", figure_number(*report.sizing.cost_per_million_output_tokens),
                        "per million output tokens", "at the operating point"});
  }
  if (report.bound && report.bound->achieved_fraction_of_request_ceiling) {
    readings.push_back(
        {"Of the request ceiling", figure_percent(*report.bound->achieved_fraction_of_request_ceiling), "",
         figure_number(report.bound->request_ceiling_tokens_per_s) + " tok/s; binding: " + report.bound->binding});
  }
  return readings;
}

std::string readings_html(const RunReport& report) {
  std::string out = "<dl class=\"readings\">\n";
  for (const Reading& reading : readings_of(report)) {
    out += fmt::format("<div{}><dt>{}</dt><dd><b>{}</b>{}<small>{}</small></dd></div>\n",
                       reading.main ? " class=\"main\"" : "", escape_html(reading.name), escape_html(reading.value),
                       reading.unit.empty() ? "" : " <span>" + escape_html(reading.unit) + "</span>",
                       escape_html(reading.remark));
  }
  return out + "</dl>\n";
}

std::string goodput_words(const GoodputLimits& limits) {
  std::string words;
  const auto add = [&](const char* metric, const std::optional<Nanos>& limit) {
    if (!limit) return;
    if (!words.empty()) words += ", ";
    words += fmt::format("{} ≤ {} ms", metric, figure_setting(milliseconds(*limit)));
  };
  add("TTFT", limits.ttft);
  add("TPOT", limits.tpot);
  add("E2E latency", limits.e2e);
  return words;
}

std::string decision_line(const RunReport& report) {
  std::string objectives;
  for (const Objective& objective : report.objectives) {
    objectives += (objectives.empty() ? "" : " and ") + objective_label(objective);
  }
  std::string out =
      fmt::format("<p class=\"decision\"><span>Decision <b>{}</b></span> <span>Objective <b>{}</b></span>",
                  escape_html(report.decision), objectives.empty() ? "none: the curve alone" : escape_html(objectives));
  if (!report.primary_metric.empty())
    out += fmt::format(" <span>Primary metric <b>{}</b></span>", escape_html(report.primary_metric));
  if (report.goodput_limits.any())
    out += fmt::format(" <span>Goodput limits <b>{}</b></span>", escape_html(goodput_words(report.goodput_limits)));
  return out + "</p>\n";
}

std::string badges(const RunReport& report) {
  std::string out =
      report.valid ? "<span class=\"badge good\">valid</span>" : "<span class=\"badge bad\">not valid</span>";
  if (report.interrupted) out += " <span class=\"badge bad\">interrupted</span>";
  if (report.prediction) out += " <span class=\"badge bad\">predicted, not measured</span>";
  if (is_simulated(report)) out += " <span class=\"badge plain\">simulated target</span>";
  return out;
}

std::string simulated_note(const RunReport& report) {
  if (!is_simulated(report)) return "";
  std::string words = "The target is simulated, not a model on hardware.";
  if (report.engine_speed != 1) {
    words += fmt::format(" Its time runs {} times as fast as the wall clock; every time on this page is engine time.",
                         figure_setting(report.engine_speed));
  }
  return fmt::format("<p class=\"notice\"><b>Simulated.</b> {}</p>\n", words);
}

// ---- doubts: grouped by name, the invalidating first, so that twenty levels with one doubt are one line.

struct DoubtGroup {
  bool invalidates = false;
  std::vector<std::pair<std::string, std::string>> said;  // where, text
};

std::string where_of(const RunReport& report, const Doubt& doubt) {
  if (!doubt.level) return "whole run";
  const auto level = std::ranges::find(report.levels, *doubt.level, &LevelResult::ordinal);
  if (level == report.levels.end()) return fmt::format("level {}", *doubt.level);
  return level_label(level->level);
}

std::vector<std::pair<std::string, DoubtGroup>> doubt_groups(const RunReport& report) {
  std::vector<std::pair<std::string, DoubtGroup>> groups;
  const auto add = [&](Doubt doubt) {
    auto group = std::ranges::find(groups, doubt.id, [](const auto& g) { return g.first; });
    if (group == groups.end()) group = groups.insert(groups.end(), {doubt.id, {}});
    group->second.invalidates = group->second.invalidates || doubt.invalidates;
    const std::pair said(where_of(report, doubt), doubt.text);
    if (std::ranges::find(group->second.said, said) == group->second.said.end()) group->second.said.push_back(said);
  };
  for (const Doubt& doubt : report.doubts) add(doubt);
  for (const LevelResult& level : report.levels) {
    for (Doubt doubt : level.doubts) {
      if (!doubt.level) doubt.level = level.ordinal;
      add(std::move(doubt));
    }
  }
  std::ranges::stable_sort(groups,
                           [](const auto& a, const auto& b) { return a.second.invalidates > b.second.invalidates; });
  return groups;
}

std::string doubt_line(const std::pair<std::string, std::string>& said) {
  const std::string where =
      said.first == "whole run" ? "" : fmt::format("<span class=\"where\">{}</span> ", escape_html(said.first));
  return where + escape_html(said.second);
}

std::string doubt_html(const std::string& id, const DoubtGroup& group) {
  const char* css = group.invalidates ? "invalidates" : "remarks";
  const std::string name = fmt::format("<code>{}</code>", escape_html(id));
  if (group.said.size() == 1)
    return fmt::format("<li class=\"{}\">{} {}</li>\n", css, name, doubt_line(group.said.front()));
  std::string out = fmt::format("<li class=\"{}\"><details><summary>{} {} times: ", css, name, group.said.size());
  constexpr std::size_t most_named = 4;
  for (std::size_t i = 0; i < std::min(most_named, group.said.size()); ++i)
    out += (i == 0 ? "" : ", ") + escape_html(group.said[i].first);
  if (group.said.size() > most_named) out += ", ...";
  out += "</summary><ul>";
  for (const auto& said : group.said) out += "<li>" + doubt_line(said) + "</li>";
  return out + "</ul></details></li>\n";
}

/// Directly below the answer, so that nobody reads it without.
std::string invalid_note(const RunReport& report) {
  if (report.valid) return "";
  std::string ids;
  for (const auto& [id, group] : doubt_groups(report)) {
    if (group.invalidates) ids += (ids.empty() ? "" : ", ") + fmt::format("<code>{}</code>", escape_html(id));
  }
  return fmt::format(
      "<p class=\"notice bad\"><b>Not valid</b>{}{}. These numbers are no result about the target.</p>\n",
      ids.empty() ? "" : ": ", ids);
}

std::string doubts_html(const RunReport& report) {
  const auto groups = doubt_groups(report);
  if (groups.empty())
    return "<h2 id=\"doubts\">Doubts</h2><p class=\"quiet\">None: no check of the method failed.</p>\n";
  const auto invalidating = std::ranges::count_if(groups, [](const auto& g) { return g.second.invalidates; });
  std::string out =
      fmt::format("<h2 id=\"doubts\">Doubts <small>{} kinds, {}</small></h2>\n<ul class=\"doubts\">\n", groups.size(),
                  invalidating == 0 ? "none invalidates" : fmt::format("{} invalidating", invalidating));
  for (const auto& [id, group] : groups) out += doubt_html(id, group);
  return out + "</ul>\n";
}

}  // namespace

bool is_simulated(const RunReport& report) {
  return report.engine_speed != 1 ||
         std::ranges::find(report.doubts, "engine_simulated", &Doubt::id) != report.doubts.end();
}

std::string answer_section(const RunReport& report) {
  const std::string sentence =
      report.sentence.empty() ? "This run has no answer yet: see the levels." : escape_html(report.sentence);
  std::string out = fmt::format("<header class=\"answer\">\n<p class=\"state\">{}</p>\n{}<h1>{}</h1>\n", badges(report),
                                decision_line(report), sentence);
  out += invalid_note(report);
  if (!report.sizing.sentence.empty())
    out += fmt::format("<p class=\"sizing\">{}</p>\n", escape_html(report.sizing.sentence));
  for (const std::string& words : sweep_words(report))
    out += fmt::format("<p class=\"quiet\">{}</p>\n", escape_html(words));
  if (!report.assumption.empty())
    out += fmt::format("<p class=\"notice\"><b>Assumed traffic.</b> {}</p>\n", escape_html(report.assumption));
  return out + simulated_note(report) + "</header>\n<div class=\"first\">\n<div class=\"side\">\n" +
         readings_html(report) + doubts_html(report) + "</div>\n" + curve_section(report) + "</div>\n";
}

}  // namespace loadline
