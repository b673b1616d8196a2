#pragma once
// A run for tests of page and figures: the worked example of docs/method.md (levels of 8, 32, 64, 96 users,
// objective p99 TTFT <= 1,000 ms) with every field filled, so that nothing of a report goes undrawn.

#include <string>
#include <utility>

#include "core/run_report.h"

namespace loadline {

inline LatencySummary page_latency(double p99, std::optional<double> low, std::optional<double> high, std::uint64_t n) {
  return {.n = n,
          .n_all = n + 2,
          .mean = p99 * 0.41,
          .p50 = p99 * 0.35,
          .p90 = p99 * 0.7,
          .p99 = p99 * 0.995,
          .p99_low = low,
          .p99_high = high,
          .p99_failures_as_infinite = p99,
          .tau = 3.25,
          .n_eff = 466.7};
}

inline LengthSummary page_lengths(std::int64_t p50, std::uint64_t n) {
  return {.n = n,
          .min = 1,
          .p1 = p50 / 20,
          .p5 = p50 / 9,
          .p10 = p50 / 5,
          .p25 = p50 / 2,
          .p50 = p50,
          .p75 = p50 * 2,
          .p90 = p50 * 4,
          .p95 = p50 * 6,
          .p99 = p50 * 14,
          .p99_9 = p50 * 40,
          .max = 25600,
          .mean = static_cast<double>(p50) * 1.9};
}

struct SamplePoint {
  double users, aggregate, p99;
  std::optional<double> low, high;
  Stability stability;
  Verdict verdict;
};

inline void fill_counts(LevelResult& level) {
  level.warmup_s = 31.4;
  level.warmup_requests = 192;
  level.measured_s = 412.5;
  level.measured_requests = 3002;
  level.measured_failed = 2;
  level.books.planned = 3260;
  level.books.by_outcome[static_cast<std::size_t>(Outcome::ok)] = 3190;
  level.books.by_outcome[static_cast<std::size_t>(Outcome::short_answer)] = 4;
  level.books.by_outcome[static_cast<std::size_t>(Outcome::http_5xx)] = 2;
  level.books.by_outcome[static_cast<std::size_t>(Outcome::censored)] = 64;
  level.failed_output_tokens = 311;
  level.cache = {0.312, 0.305, "usage"};
  level.prompt_tokens = page_lengths(344, 3000);
  level.completion_tokens = page_lengths(524, 3000);
  level.lengths_obeyed_share = 0.9987;
  level.client = {.send_lateness_p50_ms = 0.021,
                  .send_lateness_p99_ms = 0.088,
                  .send_lateness_max_ms = 1.4,
                  .read_lateness_p50_ms = 0.11,
                  .read_lateness_p99_ms = 0.62,
                  .read_lateness_max_ms = 4.8,
                  .cpu_share = 0.31,
                  .reads = 10000,
                  .stamped_reads = 9998};
}

inline LevelResult page_level(std::uint32_t ordinal, const SamplePoint& point) {
  LevelResult level;
  level.ordinal = ordinal;
  level.level = {LevelKind::concurrency, point.users, Arrivals::closed};
  level.stability = point.stability;
  level.stability_reason = "the interval of p99 was narrow enough at two checks in a row";
  level.verdict = point.verdict;
  const bool over = point.verdict == Verdict::over;
  level.objectives = {{{Latency::ttft, 0.99, std::chrono::milliseconds(1000)},
                       3000,
                       over ? 162u : 4u,
                       4.1,
                       over ? 0.038 : 0.0004,
                       over ? 0.074 : 0.0052,
                       point.verdict}};
  level.in_flight_mean = point.users * 0.998;
  level.in_flight_max = point.users;
  level.littles_law = LittlesLaw{point.users * 0.998, point.aggregate / 733.7, 4.1, 1.004};
  level.completed_requests_per_s = level.sent_requests_per_s = level.offered_requests_per_s = point.aggregate / 733.7;
  fill_counts(level);
  level.ttft_ms = page_latency(point.p99, point.low, point.high, 3000);
  level.first_answer_ms = page_latency(point.p99, point.low, point.high, 3000);
  level.tpot_ms = page_latency(14.2 + point.users / 8, 14.0, 29.0, 2990);
  level.itl_ms = page_latency(22.5, 21.9, 24.0, 2100000);
  level.e2e_ms = page_latency(31200, 29900, 34100, 3000);
  level.service_ttft_ms = page_latency(point.p99, point.low, point.high, 3000);
  level.user_rate = {2990, 71.2, 41.9};
  level.end_to_end_rate = {3000, 66.3, 30.4};
  level.aggregate_output_tokens_per_s = point.aggregate;
  level.aggregate_per_user_tokens_per_s = point.aggregate / point.users;
  level.goodput_requests_per_s = point.aggregate / 733.7 * (over ? 0.71 : 0.99);
  level.goodput_output_tokens_per_s = point.aggregate * (over ? 0.7 : 0.99);
  level.attainment = over ? 0.712 : 0.994;
  level.bound = LevelBound{14.5, 0.83, point.aggregate / 11145, "compute"};
  return level;
}

inline void fill_inputs(RunReport& report) {
  report.facts = with_unknowns({{"engine.name", "vllm", FactSource::server},
                                {"engine.version", "0.11.0", FactSource::server},
                                {"model.id", "meta-llama/Llama-3.1-8B-Instruct", FactSource::server},
                                {"model.quantization", "none", FactSource::user},
                                {"model.dtype", "bf16", FactSource::file},
                                {"hardware.name", "H100-SXM", FactSource::user},
                                {"hardware.count", "8", FactSource::user}});
  report.input_source = "requests-2026-06.jsonl";
  TraceStats log;
  log.source = "requests-2026-06.jsonl";
  log.format = "canonical";
  log.read = 120411;
  log.rows = 120004;
  log.refused["no completion length"] = {407, {12, 99}};
  log.arrivals = ArrivalStats{86400, 1.39, 1.2, 1.1, 4.7, 31, 1140, 120004, 12, false};
  PrefixProfile sharing;
  sharing.token_hit_rate = 0.312;
  log.sharing = sharing;
  report.log = log;
  report.log_prompt_tokens = page_lengths(344, 120004);
  report.log_completion_tokens = page_lengths(526, 120004);
  report.sent_prompt_tokens = page_lengths(345, 12000);
  report.sent_completion_tokens = page_lengths(524, 12000);
  report.prompt_ks = 0.0061;
  report.completion_ks = 0.0084;
  report.sampler = "sessions";
  report.sample = SampleDistance{0.0171, 0.0182, 120004, 12000, 120004, 12000, SharingOrigin::hashed, 0.312, 0.305, {}};
  report.cut_prompts = 3;
  report.template_tokens = 11.5;
  report.content = "synthetic";
  report.prefix_sharing_rate = 0.312;
  report.busiest_minute_requests_per_s = 19;
  report.cache_state = "warm";
  report.cache_target_rate = 0.312;
  report.cache_measured_rate = 0.305;
}

inline Bound page_bound() {
  Bound bound;
  bound.inputs = {
      {"memory bandwidth", "26.8 TB/s, 8 × H100-SXM"}, {"weights", "bf16, 16.1 GB"}, {"mean batch in decode", "41.2"}};
  bound.batch_1_tokens_per_s = 500;
  bound.decode_tokens_per_s = 8710;
  bound.request_ceiling_tokens_per_s = 11145;
  bound.serial_tokens_per_s = 7332;
  bound.kv_capacity_requests = 371;
  bound.binding = "compute";
  bound.achieved_fraction_of_batch_1 = 13.2;
  bound.achieved_fraction_of_decode = 0.759;
  bound.achieved_fraction_of_request_ceiling = 0.593;
  bound.diagnosis = "Compute binds: 59.3% of the request ceiling is reached, so scheduling leaves headroom.";
  return bound;
}

inline void fill_conclusions(RunReport& report) {
  Capacity capacity;
  capacity.estimate_exists = true;
  capacity.load = {44.6, 41.2, 48.1};
  capacity.requests_per_s = {9.02, 8.61, 9.4};
  capacity.output_tokens_per_s = {6610, 6310, 6890};
  capacity.interpolated = Interpolated{44.3004, 8.92, 6542.08};
  capacity.bracket_low = 32;
  capacity.bracket_high = 64;
  report.curve.closed = capacity;
  report.curve.peak = Peak{8400, 96, 3, 3100, 3.1};
  report.operating_point = capacity;
  report.sizing.replicas = Estimate{2.11, 2.02, 2.21};
  report.sizing.cost_per_million_output_tokens = 1.06;
  report.sizing.sentence = "The log's busiest minute has 19 requests/s: 3 replicas carry it (2.02 to 2.21 are needed).";
  report.bound = page_bound();
  report.sentence =
      "44.6 users who wait for each answer: 9.02 requests/s (95% interval 8.61 to 9.40) keep p99 TTFT within 1,000 ms.";
}

/// Every field filled.
inline RunReport page_sample() {
  RunReport report;
  report.version = "0.1.0";
  report.command = "loadline run --url http://127.0.0.1:8000 --slo 'p99 ttft<=1000ms' --concurrency 8,32,64,96";
  report.plan_yaml = "slo:\n  - p99 ttft<=1000ms\nlevels: [8, 32, 64, 96]\nseed: 7\n";
  report.started_utc = "2026-07-01 09:30:00";
  report.seed = 7;
  report.salt = "5f0c";
  report.host_cpu = "AMD EPYC 9354, 32 cores";
  report.client_threads = 2;
  report.client_limits = ClientLimits{10, 300, 120, 900, 2, "round-robin"};
  report.target = "http://127.0.0.1:8000";
  report.primary_metric = "capacity_requests_per_s";
  report.objectives = {{Latency::ttft, 0.99, std::chrono::milliseconds(1000)}};
  report.goodput_limits.ttft = std::chrono::milliseconds(1000);
  report.goodput_limits.tpot = std::chrono::milliseconds(50);
  const SamplePoint points[] = {{8, 1900, 340, 312, 371, Stability::stabilised, Verdict::under},
                                {32, 5600, 720, 655, 842, Stability::stabilised, Verdict::under},
                                {64, 7800, 1450, 1210, std::nullopt, Stability::decided, Verdict::over},
                                {96, 8400, 3100, 2480, std::nullopt, Stability::not_stabilised, Verdict::over}};
  for (const SamplePoint& point : points) {
    report.levels.push_back(page_level(static_cast<std::uint32_t>(report.levels.size()), point));
  }
  report.levels[3].doubts.push_back(
      make_doubt("not_stabilised", std::nullopt, "p99 had not stabilised after 5,000 requests."));
  report.doubts = {
      make_doubt("few_levels", std::nullopt, "4 levels were measured; 8 are needed to see the shape of the curve."),
      make_doubt("facts_unknown", std::nullopt, "8 of 15 facts are unknown.")};
  fill_inputs(report);
  fill_conclusions(report);
  return report;
}

}  // namespace loadline
