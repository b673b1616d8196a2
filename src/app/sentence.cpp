#include "app/sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/decision_sentence.h"
#include "app/sentence_words.h"
#include "report/labels.h"
#include "report/number_words.h"

namespace loadline {
namespace {

std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

/// The objective whose p99 the peak is measured against, named where there are several.
std::string judged_objective(const RunReport& report) {
  if (report.objectives.size() == 1) return "that objective";
  const auto first = std::ranges::find_if(
      report.objectives, [](const Objective& o) { return o.metric != Latency::itl && is_p99_of_all(o); });
  return first == report.objectives.end()
             ? "that objective"
             : fmt::format("the limit of {} {}", percentile_label(first->percentile), metric_label(first->metric));
}

std::string peak_text(const RunReport& report) {
  if (!report.curve.peak) return "";
  const Peak& peak = *report.curve.peak;
  const std::string tokens = figure_number(peak.aggregate_output_tokens_per_s);
  if (report.objectives.empty() || !peak.slo_multiple) return fmt::format("; the peak is {} output tokens/s", tokens);
  if (*peak.slo_multiple < 1) {
    return fmt::format("; the peak of {} output tokens/s stands below {}, at {:.2g} of it", tokens,
                       judged_objective(report), *peak.slo_multiple);
  }
  return fmt::format("; the peak of {} output tokens/s happens at {:.1f} times {}", tokens, *peak.slo_multiple,
                     judged_objective(report));
}

std::string bracketed_text(const RunReport& report, const Capacity& point) {
  std::string head = load_text(report, point.kind, point.load.value);
  head = point.kind == LevelKind::concurrency ? "About " + head : capitalised(head);
  // Without token counts only the requests are known.
  const std::string tokens = point.output_tokens_per_s.value > 0
                                 ? fmt::format(" and {} output tokens/s", interval_text(point.output_tokens_per_s))
                                 : "";
  return fmt::format("{}: {} requests/s of this traffic{}, with {}{}.", head, interval_text(point.requests_per_s),
                     tokens, objectives_text(report), peak_text(report));
}

/// The lowest (or highest) load of that kind that was run.
const LevelResult* edge_level(const RunReport& report, LevelKind kind, bool lowest) {
  const LevelResult* edge = nullptr;
  for (const LevelResult& level : report.levels) {
    if (level.level.kind != kind) continue;
    const bool further =
        edge == nullptr || (lowest ? level.level.target < edge->level.target : level.level.target > edge->level.target);
    if (further) edge = &level;
  }
  return edge;
}

std::string outside_text(const RunReport& report, const Capacity& point) {
  const bool below = point.crossing == Crossing::below_first_level;
  const LevelResult* edge = edge_level(report, point.kind, below);
  if (edge == nullptr) return "No level was measured.";
  const std::string load = load_text(report, point.kind, edge->level.target);
  const std::string objective = objective_label(report.objectives.at(point.binding_objective));
  if (below) {
    const std::string bound = point.requests_per_s.high ? fmt::format("capacity is below {} requests/s",
                                                                      figure_number(*point.requests_per_s.high))
                                                        : std::string("there is no capacity to report");
    return fmt::format("Already {} miss {}: {}{}.", load, objective, bound, peak_text(report));
  }
  // Only levels far apart were run: one holds, the next is over, and what lies between is not estimated.
  if (point.crossing == Crossing::bracketed && point.bracket_high) {
    const std::string from =
        point.bracket_low ? fmt::format("{} meet it and ", figure_setting(*point.bracket_low)) : "";
    return fmt::format("{} is crossed between the levels: {}{} do not ({}); run levels in between to find where{}.",
                       objective, from, figure_setting(*point.bracket_high),
                       point.kind == LevelKind::request_rate ? "requests/s" : "users", peak_text(report));
  }
  if (!point.requests_per_s.low) {
    return fmt::format(
        "Undecided: with the requests measured it is not known whether {} meet {}; measure more of them.", load,
        objectives_text(report));
  }
  return fmt::format(
      "No level was found to miss {}: capacity is at least {} requests/s; higher loads would be needed to find it{}.",
      objectives_text(report), figure_number(*point.requests_per_s.low), peak_text(report));
}

}  // namespace

namespace {

std::string capacity_sentence(const RunReport& report) {
  if (report.objectives.empty()) {
    return fmt::format(
        "No objective was given, so there is no operating point but the curve alone{}. Give one with --slo, for example "
        "`loadline report RUN --slo 'p99 ttft<=1000ms'`.",
        peak_text(report));
  }
  if (!report.operating_point)
    return fmt::format("The levels do not tell where {} is crossed{}.", objectives_text(report), peak_text(report));
  const Capacity& point = *report.operating_point;
  return point.crossing == Crossing::bracketed && point.estimate_exists ? bracketed_text(report, point)
                                                                        : outside_text(report, point);
}

/// From here on what was measured is the cache.
constexpr double cache_is_measured_from = 0.5;

/// What the run really measured, where it was told to make one of the classic mistakes.
std::string demonstration_text(const RunReport& report) {
  if (report.workload == "mean") {
    return " Every request had the input's mean lengths: this is a demonstration, the real distribution behaves otherwise.";
  }
  if (report.workload != "repeated") return "";
  if (!report.cache_measured_rate) {
    return " One prompt was sent again and again: where the target has a prefix cache, this run measured the cache.";
  }
  if (*report.cache_measured_rate < cache_is_measured_from) {
    return fmt::format(
        " One prompt was sent again and again, of whose tokens {} came from a prefix cache: no real traffic repeats one "
        "prompt.",
        figure_percent(*report.cache_measured_rate));
  }
  return fmt::format(
      " One prompt was sent again and again and {} of the prompt tokens came from the prefix cache: this run measured the "
      "cache.",
      figure_percent(*report.cache_measured_rate));
}

}  // namespace

std::string answer_sentence(const RunReport& report) {
  if (report.levels.empty()) return "No level was completed: there is no answer.";
  std::string sentence;
  if (report.decision == "interactive")
    sentence = interactive_sentence(report);
  else if (report.decision == "batch")
    sentence = batch_sentence(report);
  else if (report.decision == "comparison")
    sentence = one_run_alone();
  if (report.decision != "batch") sentence += (sentence.empty() ? "" : " ") + capacity_sentence(report);
  return sentence + demonstration_text(report);
}

namespace {

double cost_per_million(double price_per_hour, double tokens_per_s) {
  return price_per_hour / 3600.0 / tokens_per_s * 1e6;
}

}  // namespace

Sizing size_deployment(const RunReport& report, std::optional<double> price_per_hour) {
  Sizing sizing;
  const bool by_peak = report.decision == "batch" && report.curve.peak.has_value();
  if (price_per_hour && by_peak) {
    sizing.cost_per_million_output_tokens =
        cost_per_million(*price_per_hour, report.curve.peak->aggregate_output_tokens_per_s);
  }
  if (!report.operating_point || !report.operating_point->estimate_exists) {
    sizing.sentence = "No sizing: it needs an operating point inside the measured levels.";
    return sizing;
  }
  const Capacity& point = *report.operating_point;
  std::string sentence;
  if (report.busiest_minute_requests_per_s) {
    const double busiest = *report.busiest_minute_requests_per_s;
    Estimate replicas{busiest / point.requests_per_s.value, std::nullopt, std::nullopt};
    if (point.requests_per_s.high) replicas.low = busiest / *point.requests_per_s.high;
    if (point.requests_per_s.low && *point.requests_per_s.low > 0) replicas.high = busiest / *point.requests_per_s.low;
    sizing.replicas = replicas;
    const double whole = std::max(1.0, std::ceil(replicas.high.value_or(replicas.value)));
    sentence = fmt::format(
        "The log's busiest minute ({} requests/s) is {} times this capacity ({}): {} such deployment{} carr{} it",
        figure_number(busiest), figure_number(replicas.value), interval_text(replicas), figure_setting(whole),
        whole == 1 ? "" : "s", whole == 1 ? "ies" : "y");
    sentence +=
        point.kind == LevelKind::concurrency
            ? " if its users wait for their answers as the measured ones did; arrivals that do not wait need more (the open-loop capacity is smaller)."
            : ".";
  } else {
    sentence = "No sizing from a log: the input has no times of arrival.";
  }
  if (price_per_hour && !by_peak && point.output_tokens_per_s.value > 0) {
    sizing.cost_per_million_output_tokens = cost_per_million(*price_per_hour, point.output_tokens_per_s.value);
    sentence += fmt::format(" At {} an hour a million output tokens cost {}.", figure_number(*price_per_hour),
                            figure_number(*sizing.cost_per_million_output_tokens));
  }
  sizing.sentence = sentence;
  return sizing;
}

}  // namespace loadline
