#include "app/assemble.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/bound_basis.h"
#include "app/describe_sweep.h"
#include "app/run_doubts.h"
#include "app/sentence.h"
#include "curve/operating_point.h"
#include "statistics/count_distance.h"
#include "trace/stats.h"

namespace loadline {
namespace {

void describe_run(const RunDescription& d, RunReport& report) {
  report.version = d.version;
  report.command = d.command;
  report.plan_yaml = d.plan_yaml;
  report.started_utc = d.started_utc;
  report.seed = d.seed;
  report.salt = d.salt;
  report.engine_speed = d.engine_speed;
  report.host_cpu = d.host_cpu;
  report.client_threads = d.client_threads;
  report.client_limits = d.client_limits;
  report.calibration = d.calibration;
  report.target = d.target;
  report.virtual_time = d.virtual_time;
  report.prediction = d.prediction;
  report.facts = with_unknowns(d.facts);
  report.input_source = d.input_source;
  report.assumption = d.assumption;
  report.cache_state = d.cache_state;
  report.sampler = d.sampler;
  report.content = d.content;
  report.workload = d.workload;
  report.cut_prompts = d.cut_prompts;
  report.dropped_prompts = d.dropped_prompts;
  report.template_tokens = d.template_tokens;
}

/// Of the level that sent most: the smaller a sample, the further chance takes it.
void describe_sample(const RunDescription& d, RunReport& report) {
  std::uint64_t most = 0;
  for (const auto& [ordinal, planned] : d.planned) {
    if (!planned.sample || planned.released <= most) continue;
    most = planned.released;
    report.sample = planned.sample;
  }
}

/// The pooled lengths of all levels, weighted by their requests: what was sent, as counted by the target.
std::vector<std::int64_t> sent_lengths(const std::vector<LevelResult>& levels, bool prompt) {
  std::vector<std::int64_t> lengths;
  for (const LevelResult& level : levels) {
    for (const LevelResult::RequestShape& shape : level.shapes) {
      lengths.push_back(prompt ? shape.new_tokens + shape.cached_tokens : shape.out_tokens);
    }
  }
  return lengths;
}

void describe_input(const RunDescription& d, RunReport& report) {
  report.log = d.log;
  if (d.log) {
    report.log_prompt_tokens = d.log->prompt_tokens;
    report.log_completion_tokens = d.log->completion_tokens;
    report.busiest_minute_requests_per_s = busiest_minute_requests_per_s(*d.log);
    if (d.log->sharing) report.prefix_sharing_rate = d.log->sharing->token_hit_rate;
  }
  const std::vector<std::int64_t> prompts = sent_lengths(report.levels, true),
                                  completions = sent_lengths(report.levels, false);
  if (!d.log_prompt_counts.empty() && !prompts.empty()) {
    report.prompt_ks = ks_distance_from_counts(d.log_prompt_counts, prompts);
  }
  if (!d.log_completion_counts.empty() && !completions.empty()) {
    report.completion_ks = ks_distance_from_counts(d.log_completion_counts, completions);
  }
  report.sent_prompt_tokens = summarise_lengths(prompts);
  report.sent_completion_tokens = summarise_lengths(completions);
}

/// Over all levels, weighted by their prompt tokens.
void describe_cache(const RunDescription& d, RunReport& report) {
  double target = 0, measured = 0, target_weight = 0, measured_weight = 0;
  for (LevelResult& level : report.levels) {
    if (const auto planned = d.planned.find(level.ordinal); planned != d.planned.end()) {
      level.cache.target_rate = planned->second.cache_target_rate;
      level.prompts = planned->second.prompts;
      if (!level.cache.measured_rate && planned->second.cache_counted_rate) {
        level.cache.measured_rate = planned->second.cache_counted_rate;
        level.cache.target_rate = planned->second.cache_target_rate_whole;  // the counters know no window
        level.cache.source = "counters";
      }
    }
    const double tokens = level.prompt_tokens.mean * static_cast<double>(level.prompt_tokens.n);
    if (level.cache.target_rate) target += *level.cache.target_rate * tokens, target_weight += tokens;
    if (level.cache.measured_rate) measured += *level.cache.measured_rate * tokens, measured_weight += tokens;
  }
  if (target_weight > 0) report.cache_target_rate = target / target_weight;
  if (measured_weight > 0) report.cache_measured_rate = measured / measured_weight;
}

void choose_operating_point(RunReport& report) {
  // The open-loop capacity, where it was measured, is the headline of the decision `capacity`.
  const std::optional<Capacity>& first = report.decision == "capacity" ? report.curve.open : report.curve.closed;
  const std::optional<Capacity>& second = report.decision == "capacity" ? report.curve.closed : report.curve.open;
  report.operating_point = first ? first : second;
}

}  // namespace

Question question_of(const RunSettings& settings) {
  SweepGoal goal = settings.goal;
  goal.listed = settings.levels;
  return {settings.rules.objectives, settings.goodput_limits, settings.decision, settings.primary_metric, goal};
}

RunReport assemble(const RunDescription& description, const Question& question, std::vector<LevelResult> levels) {
  RunReport report;
  report.levels = std::move(levels);
  report.decision = question.decision;
  report.primary_metric = question.primary_metric;
  report.objectives = question.objectives;
  report.goodput_limits = question.goodput_limits;
  describe_run(description, report);
  describe_input(description, report);
  describe_sample(description, report);
  for (LevelResult& level : report.levels) {
    if (const auto planned = description.planned.find(level.ordinal); planned != description.planned.end())
      level.request_digests = planned->second.request_digests;
  }
  describe_cache(description, report);

  report.curve = make_curve(report.levels, report.objectives, description.prescribed_mean_completion());
  describe_sweep(description, question.goal, report);
  choose_operating_point(report);
  add_bound(description.bound, report);

  report.doubts = description.doubts;
  add_run_doubts(description, report);
  report.valid = !report.levels.empty() && std::ranges::none_of(report.doubts, &Doubt::invalidates) &&
                 std::ranges::none_of(report.levels, [](const LevelResult& level) {
                   return std::ranges::any_of(level.doubts, &Doubt::invalidates);
                 });
  report.sizing = size_deployment(report, description.price_per_hour);
  report.sentence = (report.prediction ? "Predicted, not measured: " : "") + answer_sentence(report);
  return report;
}

}  // namespace loadline
