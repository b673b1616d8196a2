#include "report/report_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/completeness.h"
#include "report/prediction_words.h"
#include "report/report_json_parts.h"
#include "report/trace_stats_words.h"

namespace loadline {
namespace {

Json json_limit(const std::optional<Nanos>& limit) { return limit ? json_number(milliseconds(*limit)) : Json(nullptr); }

/// Wall time of the levels, beside their engine time; a run in virtual time has none.
Json json_wall(const RunReport& report) {
  if (report.virtual_time || !(report.engine_speed > 0)) return nullptr;
  double engine_s = 0;
  for (const LevelResult& level : report.levels) engine_s += level.warmup_s + level.measured_s;
  return {{"levels_s", json_number(engine_s / report.engine_speed)}};
}

Json json_proven(const std::optional<ProvenLimit>& limit) {
  if (!limit) return nullptr;
  return {{"value", json_number(limit->value)}, {"at_least", limit->at_least}};
}

Json json_calibration(const std::optional<ClientCalibration>& calibration) {
  if (!calibration) return nullptr;
  return {{"calibrated_utc", json_text(calibration->calibrated_utc)},
          {"events_per_s_per_thread", json_proven(calibration->events_per_s_per_thread)},
          {"streams_per_thread", json_proven(calibration->streams_per_thread)},
          {"requests_per_s_per_thread", json_proven(calibration->requests_per_s_per_thread)},
          {"ttft_error_p99_ms", json_number(calibration->ttft_error_p99_ms)}};
}

Json json_client_limits(const std::optional<ClientLimits>& limits) {
  if (!limits) return nullptr;
  return {{"connect_s", json_number(limits->connect_s)},
          {"first_byte_s", json_number(limits->first_byte_s)},
          {"idle_s", json_number(limits->idle_s)},
          {"total_s", json_number(limits->total_s)},
          {"retries", limits->retries},
          {"balance", json_text(limits->balance)}};
}

Json json_loadline(const RunReport& report) {
  const Json client = {{"host_cpu", json_text(report.host_cpu)},
                       {"threads", report.client_threads},
                       {"limits", json_client_limits(report.client_limits)},
                       {"calibration", json_calibration(report.calibration)},
                       {"engine_speed", json_number(report.engine_speed)},
                       {"wall", json_wall(report)}};
  return {{"version", report.version},
          {"command", json_text(report.command)},
          {"plan", json_text(report.plan_yaml)},
          {"seed", report.seed},
          {"salt", json_text(report.salt)},
          {"started_utc", json_text(report.started_utc)},
          {"target", json_text(report.target)},
          {"interrupted", report.interrupted},
          {"interruption", json_text(report.interruption)},
          {"reading", report.reading.empty() ? Json(nullptr) : json_text(report.reading)},
          {"client", client}};
}

Json json_slo(const RunReport& report) {
  Json list = Json::array();
  for (const Objective& objective : report.objectives) list.push_back(json_objective(objective));
  return list;
}

Json json_input(const RunReport& report) {
  Json log = nullptr;
  if (report.log || report.log_prompt_tokens.n > 0 || report.log_completion_tokens.n > 0) {
    log = {{"rows", report.log ? Json(report.log->rows) : Json(nullptr)},
           {"prompt_tokens", json_lengths(report.log_prompt_tokens)},
           {"completion_tokens", json_lengths(report.log_completion_tokens)},
           {"prefix_sharing_rate", json_number(report.prefix_sharing_rate)},
           {"busiest_minute_requests_per_s", json_number(report.busiest_minute_requests_per_s)}};
  }
  const std::uint64_t sent = report.sent_prompt_tokens.n;
  return {{"source", json_text(report.input_source)},
          {"assumption", json_text(report.assumption)},
          {"log", log},
          {"sent",
           {{"rows", sent > 0 ? Json(sent) : Json(nullptr)},
            {"prompt_tokens", json_lengths(report.sent_prompt_tokens)},
            {"completion_tokens", json_lengths(report.sent_completion_tokens)},
            {"prefix_sharing_rate", json_number(report.cache_target_rate)},
            {"busiest_minute_requests_per_s", nullptr}}},
          {"distance",
           {{"prompt_ks", json_number(report.prompt_ks)}, {"completion_ks", json_number(report.completion_ks)}}},
          {"tokens", report.log ? Json(tokens_name(*report.log)) : Json(nullptr)},
          {"sampler", json_text(report.sampler)},
          {"sample", json_sample(report.sample)},
          {"cut_prompts", report.cut_prompts},
          {"dropped_prompts", report.dropped_prompts},
          {"content", json_text(report.content)},
          {"workload", report.workload},
          {"template_tokens", json_number(report.template_tokens)}};
}

Json json_peak(const std::optional<Peak>& peak) {
  if (!peak) return nullptr;
  return {{"aggregate_output_tokens_per_s", json_number(peak->aggregate_output_tokens_per_s)},
          {"at", json_number(peak->at)},
          {"slo_multiple", json_number(peak->slo_multiple)},
          {"p99_ms", json_number(peak->p99_ms)},
          {"level", peak->ordinal}};
}

Json json_sizing(const Sizing& sizing) {
  return {{"replicas", sizing.replicas ? json_estimate(*sizing.replicas) : Json(nullptr)},
          {"cost_per_million_output_tokens", json_number(sizing.cost_per_million_output_tokens)},
          {"sentence", json_text(sizing.sentence)}};
}

Json json_bound(const std::optional<Bound>& bound) {
  if (!bound) return nullptr;
  Json inputs = Json::object();
  for (const auto& [key, value] : bound->inputs) inputs[key] = value;
  return {{"inputs", inputs},
          {"batch_1_tokens_per_s", json_number(bound->batch_1_tokens_per_s)},
          {"decode_tokens_per_s", json_number(bound->decode_tokens_per_s)},
          {"request_ceiling_tokens_per_s", json_number(bound->request_ceiling_tokens_per_s)},
          {"serial_tokens_per_s", json_number(bound->serial_tokens_per_s)},
          {"kv_capacity_requests", json_number(bound->kv_capacity_requests)},
          {"binding", json_text(bound->binding)},
          {"achieved_fraction_of_batch_1", json_number(bound->achieved_fraction_of_batch_1)},
          {"achieved_fraction_of_decode", json_number(bound->achieved_fraction_of_decode)},
          {"achieved_fraction_of_request_ceiling", json_number(bound->achieved_fraction_of_request_ceiling)},
          {"diagnosis", json_text(bound->diagnosis)}};
}

Json json_report(const RunReport& report) {
  Json levels = Json::array();
  for (const LevelResult& level : report.levels) levels.push_back(json_level(level));
  const GoodputLimits& good = report.goodput_limits;
  Json out;
  out["schema"] = report_json_schema;
  out["loadline"] = json_loadline(report);
  out["decision"] = report.decision;
  out["primary_metric"] = json_text(report.primary_metric);
  out["valid"] = report.valid;
  out["predicted"] = report.prediction.has_value();
  out["prediction"] = json_prediction(report.prediction);
  out["doubts"] = json_doubts(all_doubts(report));
  out["sentence"] = report.sentence;
  out["slo"] = json_slo(report);
  out["goodput_limits"] = {
      {"ttft_ms", json_limit(good.ttft)}, {"tpot_ms", json_limit(good.tpot)}, {"e2e_ms", json_limit(good.e2e)}};
  out["facts"] = json_facts(report.facts);
  out["completeness"] = json_completeness(report.facts);
  out["input"] = json_input(report);
  out["cache"] = {{"state", json_text(report.cache_state)},
                  {"target_rate", json_number(report.cache_target_rate)},
                  {"measured_rate", json_number(report.cache_measured_rate)}};
  out["levels"] = std::move(levels);
  out["capacity"] = {{"closed", json_capacity(report.curve.closed, report.objectives)},
                     {"open", json_capacity(report.curve.open, report.objectives)}};
  out["sweep"] = json_sweep(report.sweep, report.objectives);
  out["operating_point"] = json_operating_point(report);
  out["peak"] = json_peak(report.curve.peak);
  out["sizing"] = json_sizing(report.sizing);
  out["bound"] = json_bound(report.bound);
  out["bound_missing"] = report.bound_missing;
  return out;
}

}  // namespace

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json json_number(const std::optional<double>& value) { return value ? json_number(*value) : Json(nullptr); }
Json json_text(std::string_view text) { return text.empty() ? Json(nullptr) : Json(std::string(text)); }

Json json_estimate(const Estimate& estimate) {
  return {
      {"value", json_number(estimate.value)}, {"low", json_number(estimate.low)}, {"high", json_number(estimate.high)}};
}

Json json_lengths(const LengthSummary& l) {
  if (l.n == 0) return nullptr;
  return {{"n", l.n},     {"min", l.min},
          {"p1", l.p1},   {"p5", l.p5},
          {"p10", l.p10}, {"p25", l.p25},
          {"p50", l.p50}, {"p75", l.p75},
          {"p90", l.p90}, {"p95", l.p95},
          {"p99", l.p99}, {"p99_9", l.p99_9},
          {"max", l.max}, {"mean", json_number(l.mean)}};
}

Json json_sample(const std::optional<SampleDistance>& sample) {
  if (!sample) return nullptr;
  return {{"prompt_ks", json_number(sample->prompt_ks)},
          {"completion_ks", json_number(sample->completion_ks)},
          {"log_hit_rate", json_number(sample->log_hit_rate)},
          {"sample_hit_rate", json_number(sample->sample_hit_rate)},
          {"uncut_hit_rate", json_number(sample->uncut_hit_rate)}};
}

Json json_doubts(const std::vector<Doubt>& doubts) {
  Json list = Json::array();
  for (const Doubt& doubt : doubts) {
    list.push_back({{"id", doubt.id},
                    {"level", doubt.level ? Json(*doubt.level) : Json(nullptr)},
                    {"invalidates", doubt.invalidates},
                    {"text", doubt.text}});
  }
  return list;
}

Json json_objective(const Objective& objective) {
  return {{"metric", std::string(name(objective.metric))},
          {"percentile", json_number(objective.percentile)},
          {"limit_ms", json_number(milliseconds(objective.limit))},
          {"class", objective.of ? json_text(class_text(*objective.of)) : Json(nullptr)}};
}

std::string objective_text(const Objective& objective) {
  return fmt::format("p{:.6g} {}<={:.9g}ms{}", objective.percentile * 100, name(objective.metric),
                     milliseconds(objective.limit), objective.of ? " where " + class_text(*objective.of) : "");
}

std::string report_json(const RunReport& report) {
  return json_report(report).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace loadline
