#include "report/report_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/completeness.h"
#include "report/number_words.h"
#include "report/sample_words.h"
#include "report/svg_level.h"

namespace loadline {
namespace {

// docs/method.md section 3: below this many effective samples p99 has no upper end; the first check comes at as many
// requests.
constexpr std::uint64_t enough_requests = 1000;

std::string estimate_words(const Estimate& estimate) {
  if (!estimate.low && !estimate.high) return figure_number(estimate.value);
  return fmt::format("{} {}", figure_number(estimate.value), figure_interval(estimate.low, estimate.high));
}

/// Tokens that were not counted have no rate.
std::string token_words(const Estimate& tokens) {
  return tokens.value > 0 ? estimate_words(tokens) + " output tok/s" : "tokens not counted";
}

std::string loop_words(LevelKind kind) { return kind == LevelKind::concurrency ? "closed loop" : "open loop"; }

std::string one_capacity(const Capacity& capacity, const std::vector<Objective>& objectives) {
  const std::string limit = capacity.binding_objective < objectives.size()
                                ? " by " + objective_label(objectives[capacity.binding_objective])
                                : "";
  const std::string loop = loop_words(capacity.kind);
  if (capacity.estimate_exists) {
    return fmt::format(
        "Capacity, {}{}: {} requests/s, {}, at {} {}.", loop, limit, estimate_words(capacity.requests_per_s),
        token_words(capacity.output_tokens_per_s), estimate_words(capacity.load),
        capacity.kind == LevelKind::concurrency ? "users who wait for each answer" : "requests/s offered");
  }
  if (capacity.crossing == Crossing::above_last_level && capacity.requests_per_s.low) {
    return fmt::format("Capacity, {}{}: at least {} requests/s; no level misses the objective.", loop, limit,
                       figure_number(*capacity.requests_per_s.low));
  }
  if (capacity.crossing == Crossing::below_first_level && capacity.requests_per_s.high) {
    return fmt::format("Capacity, {}{}: below {} requests/s; the first level misses the objective.", loop, limit,
                       figure_number(*capacity.requests_per_s.high));
  }
  if (capacity.interpolated) {
    return fmt::format("Capacity, {}{}: {} requests/s, {}, interpolated on the drawn curve, without an interval.", loop,
                       limit, figure_number(capacity.interpolated->requests_per_s),
                       token_words({capacity.interpolated->output_tokens_per_s, {}, {}}));
  }
  return fmt::format("Capacity, {}{}: the levels do not determine it.", loop, limit);
}

std::string level_of(const RunReport& report, std::uint32_t ordinal) {
  const auto level = std::ranges::find(report.levels, ordinal, &LevelResult::ordinal);
  return level == report.levels.end() ? fmt::format("level {}", ordinal) : level_label(level->level);
}

}  // namespace

std::vector<std::string> validity_words(const RunReport& report) {
  std::vector<std::string> words = {report.valid ? "Valid." : "NOT VALID: the numbers below may not be used."};
  if (report.interrupted)
    words.push_back("Interrupted: " + (report.interruption.empty() ? "levels may be missing." : report.interruption));
  if (report.engine_speed != 1)
    words.push_back(fmt::format("The target's time ran {} times faster than the wall; all times are its own.",
                                figure_setting(report.engine_speed)));
  return words;
}

std::vector<std::string> doubt_words(const RunReport& report) {
  std::vector<Doubt> doubts = all_doubts(report);
  std::ranges::stable_sort(doubts, std::greater<>(), &Doubt::invalidates);
  std::vector<std::string> words;
  for (const Doubt& doubt : doubts) {
    const std::string place = doubt.level ? fmt::format(" ({})", level_of(report, *doubt.level)) : "";
    words.push_back(fmt::format("{}{}{}: {}", doubt.id, place, doubt.invalidates ? ", invalidates" : "", doubt.text));
  }
  return words;
}

std::vector<std::string> question_words(const RunReport& report) {
  std::string objectives;
  for (const Objective& objective : report.objectives)
    objectives += (objectives.empty() ? "" : " and ") + objective_label(objective);
  std::vector<std::string> words = {fmt::format("Decision: {}. Objective: {}.", report.decision,
                                                objectives.empty() ? "none, so the curve alone" : objectives)};
  if (!report.target.empty()) words.push_back(fmt::format("Target: {}.", report.target));
  if (!report.input_source.empty()) {
    words.push_back(
        fmt::format("Input: {}.{}{}", report.input_source, report.assumption.empty() ? "" : " ", report.assumption));
  }
  if (!report.cache_state.empty()) {
    words.push_back(fmt::format("Prefix cache: {}; hit rate {} planned, {} measured.", report.cache_state,
                                figure_percent(report.cache_target_rate),
                                report.cache_measured_rate ? figure_percent(report.cache_measured_rate) : "not"));
  }
  return words;
}

std::string drawing_words(const RunReport& report) {
  std::vector<std::string> parts;
  if (!report.sampler.empty()) parts.push_back("sampler " + report.sampler);
  const std::string distance = report.sample ? sample_words(*report.sample) : "";
  if (!distance.empty()) parts.push_back("drawn against the log: " + distance);
  const std::string over = over_limit_words(report.cut_prompts, report.dropped_prompts);
  if (!over.empty()) parts.push_back(over);
  if (!report.content.empty()) parts.push_back("content " + report.content);
  if (report.template_tokens)
    parts.push_back("the chat template adds " + figure_number(*report.template_tokens) + " tokens a prompt");
  if (report.log && report.log->tokens_estimated) parts.push_back("the log's lengths are estimated");
  return parts.empty() ? "" : fmt::format("Requests: {}.", fmt::join(parts, "; "));
}

std::vector<std::string> capacity_words(const RunReport& report) {
  std::vector<std::string> words;
  if (report.operating_point) words.push_back(one_capacity(*report.operating_point, report.objectives));
  for (const auto& capacity : {report.curve.open, report.curve.closed}) {
    const bool named = capacity && report.operating_point && capacity->kind == report.operating_point->kind;
    if (capacity && !named) words.push_back(one_capacity(*capacity, report.objectives));
  }
  return words;
}

std::string peak_words(const RunReport& report) {
  if (!report.curve.peak) return "";
  const Peak& peak = *report.curve.peak;
  const auto level = std::ranges::find(report.levels, peak.ordinal, &LevelResult::ordinal);
  const std::string at = level == report.levels.end() ? figure_number(peak.at) : level_label(level->level);
  std::string words = fmt::format("Peak: {} output tok/s at {}", figure_number(peak.aggregate_output_tokens_per_s), at);
  if (peak.slo_multiple)
    words += fmt::format(", where p99 is {} times the objective", figure_number(*peak.slo_multiple));
  return words + ".";
}

std::vector<std::string> bound_words(const RunReport& report) {
  if (!report.bound) {
    if (report.bound_missing.empty()) return {};
    return {fmt::format("No bound: unknown {}.", fmt::join(report.bound_missing, ", "))};
  }
  const Bound& bound = *report.bound;
  std::vector<std::string> words = {
      fmt::format("Bound: request ceiling {} tok/s ({} binds), decode {} tok/s, batch-1 {} tok/s.",
                  figure_number(bound.request_ceiling_tokens_per_s), bound.binding,
                  figure_number(bound.decode_tokens_per_s), figure_number(bound.batch_1_tokens_per_s))};
  const bool at_point = report.operating_point && report.operating_point->estimate_exists;
  words.push_back(fmt::format("Achieved at {}: request ceiling {}, decode {}, batch-1 {}.",
                              at_point ? "the operating point" : "the peak (there is no operating point)",
                              figure_percent(bound.achieved_fraction_of_request_ceiling),
                              figure_percent(bound.achieved_fraction_of_decode),
                              figure_percent(bound.achieved_fraction_of_batch_1)));
  if (!bound.diagnosis.empty()) words.push_back(bound.diagnosis);
  return words;
}

std::string limits_words(const std::optional<ClientLimits>& limits) {
  if (!limits) return "";
  const std::string again =
      limits->retries == 0 ? "nothing was sent again" : fmt::format("up to {} retries", limits->retries);
  const std::string balance = limits->balance.empty() ? "" : fmt::format("; servers by {}", limits->balance);
  return fmt::format("Limits: connect {:g} s, first byte {:g} s, silence {:g} s, whole answer {:g} s; {}{}. ",
                     limits->connect_s, limits->first_byte_s, limits->idle_s, limits->total_s, again, balance);
}

std::string facts_words(const RunReport& report) {
  const std::vector<std::string> unknown = unknown_facts(report.facts);
  const Completeness found = completeness(report.facts);
  const std::string known = fmt::format("Facts: {} of {} known (grade {}).", found.known, found.needed, found.grade);
  return unknown.empty() ? known
                         : fmt::format("{} Unknown: {}. Give them with --fact.", known, fmt::join(unknown, ", "));
}

std::string small_sample_words(const RunReport& report) {
  std::vector<std::string> few;
  for (const LevelResult& level : report.levels) {
    if (level.measured_requests < enough_requests) {
      few.push_back(fmt::format("{} (n = {})", level_label(level.level), figure_count(level.measured_requests)));
    }
  }
  if (few.empty()) return "";
  return fmt::format("Few requests: p99 rests on fewer than {} requests at {}.", figure_count(enough_requests),
                     fmt::join(few, ", "));
}

}  // namespace loadline
