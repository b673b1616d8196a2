#pragma once
// Two reports that tests draw: one with every value there, one with nearly none. The numbers are those of a
// small sweep of the worked example, with foreign text that tries to escape.

#include "core/run_report.h"

namespace loadline {

inline LatencySummary sample_latency(double p50, double p99, std::optional<double> high) {
  LatencySummary latency;
  latency.n = 998;
  latency.n_all = 1000;
  latency.mean = p50 * 1.1;
  latency.p50 = p50;
  latency.p90 = p50 * 1.5;
  latency.p99 = p99;
  latency.p99_failures_as_infinite = p99 + 10;
  latency.p99_low = p99 * 0.8;
  latency.p99_high = high;
  latency.tau = 4.5;
  latency.n_eff = 110.7;
  return latency;
}

inline LengthSummary sample_lengths(std::int64_t median) {
  return LengthSummary{1000,       1,          2,          3,          4,          5,          median,
                       median + 1, median + 2, median + 3, median + 4, median + 5, median + 6, 763.5};
}

inline LevelResult full_sample_level(std::uint32_t ordinal, double users, double aggregate, double p99,
                                     Verdict verdict) {
  LevelResult level;
  level.ordinal = ordinal;
  level.level = {LevelKind::concurrency, users, Arrivals::closed};
  level.stability = Stability::decided;
  level.stability_reason = "the verdict was decided twice in a row";
  level.verdict = verdict;
  level.objectives = {{{Latency::ttft, 0.99, std::chrono::seconds(1)}, 1000, 12, 4.5, 0.004, 0.02, verdict}};
  level.queue_growth_per_s = 0.01;
  level.in_flight_mean = users - 0.1;
  level.in_flight_max = users;
  level.littles_law = LittlesLaw{users, 10.5, 6.1, 0.999};
  level.offered_requests_per_s = 0;
  level.sent_requests_per_s = 10.7;
  level.completed_requests_per_s = aggregate / 740;
  level.warmup_s = 12.5;
  level.measured_s = 95.25;
  level.warmup_requests = 130;
  level.measured_requests = 1000;
  level.books.planned = 1200;
  level.books.by_outcome[static_cast<std::size_t>(Outcome::ok)] = 1100;
  level.books.by_outcome[static_cast<std::size_t>(Outcome::short_answer)] = 30;
  level.books.by_outcome[static_cast<std::size_t>(Outcome::http_5xx)] = 2;
  level.books.by_outcome[static_cast<std::size_t>(Outcome::censored)] = 67;
  level.books.by_outcome[static_cast<std::size_t>(Outcome::unsent)] = 1;
  level.measured_failed = 2;
  level.ttft_ms = sample_latency(250, p99, p99 * 1.3);
  level.first_answer_ms = sample_latency(260, p99 + 1, std::nullopt);
  level.tpot_ms = sample_latency(11, 24, 26);
  level.itl_ms = sample_latency(10, 22, 23);
  level.chunk_gap_ms = sample_latency(10.5, 22, 23);
  level.e2e_ms = sample_latency(6000, 31000, std::nullopt);
  level.service_ttft_ms = sample_latency(249, p99 - 1, p99 * 1.3);
  level.user_rate = {997, 88.5, 55.25};
  level.end_to_end_rate = {998, 80.5, 50.25};
  level.aggregate_output_tokens_per_s = aggregate;
  level.aggregate_per_user_tokens_per_s = aggregate / users;
  level.failed_output_tokens = 17;
  level.goodput_requests_per_s = 9.5;
  level.goodput_output_tokens_per_s = aggregate * 0.97;
  level.attainment = 0.975;
  level.cache = {0.41, 0.40, "usage"};
  level.prompt_tokens = sample_lengths(350);
  level.completion_tokens = sample_lengths(520);
  level.planned_prompt_tokens = sample_lengths(351);
  level.planned_completion_tokens = sample_lengths(521);
  level.mean_context_tokens = 1200;
  level.in_decode_mean = users * 0.9;
  level.lengths_obeyed_share = 0.999;
  level.client = {.send_lateness_p50_ms = 0.018,
                  .send_lateness_p99_ms = 0.072,
                  .send_lateness_max_ms = 1.5,
                  .read_lateness_p50_ms = 0.003,
                  .read_lateness_p99_ms = 0.01,
                  .read_lateness_max_ms = 0.2,
                  .loop_turn_p99_ms = 0.3,
                  .loop_turn_max_ms = 2.5,
                  .cpu_share = 0.15,
                  .thread_cpu_shares = {0.15},
                  .reads = 4000,
                  .stamped_reads = 4000,
                  .coalesced_reads = 40,
                  .output_events = 4100};
  level.bound = LevelBound{aggregate / 500, 0.7, aggregate / 11145, "compute"};
  level.doubts = {make_doubt("drift", ordinal, "TTFT drifts by 6% over the window.")};
  return level;
}

inline RunReport full_sample_report() {
  RunReport report;
  report.version = "0.1.0";
  report.command = "loadline run --url http://127.0.0.1:8000";
  report.plan_yaml = "levels: [32, 64, 96]\n";
  report.started_utc = "2026-01-02T03:04:05Z";
  report.seed = 42;
  report.salt = "a1b2";
  report.engine_speed = 2;
  report.host_cpu = "A CPU";
  report.calibration = ClientCalibration{.calibrated_utc = "2026-11-30T12:00:00Z",
                                         .events_per_s_per_thread = ProvenLimit{98000, true},
                                         .streams_per_thread = ProvenLimit{2048, false},
                                         .requests_per_s_per_thread = std::nullopt,
                                         .ttft_error_p99_ms = 0.0125};
  report.target = "embedded engine";
  report.primary_metric = "capacity_requests_per_s";
  report.objectives = {{Latency::ttft, 0.99, std::chrono::seconds(1)}};
  report.goodput_limits.ttft = std::chrono::seconds(1);
  report.goodput_limits.tpot = std::chrono::milliseconds(50);
  report.goodput_limits.e2e = std::chrono::seconds(60);
  report.facts = with_unknowns({{"engine.name", "vllm", FactSource::server},
                                {"model.id", "evil|<b>\x1b[31m[x](http://e.vil)", FactSource::server},
                                {"hardware.count", "8", FactSource::user},
                                {"hardware.parallelism.tp", "8", FactSource::user},
                                {"flags.max_num_seqs", "256", FactSource::server},
                                {"flags.a.dotted", "1", FactSource::server}});
  report.input_source = "azure.csv";
  report.assumption = "A published distribution stands in for a log.";
  report.log = TraceStats{};
  report.log->rows = 19366;
  report.log_prompt_tokens = sample_lengths(928);
  report.log_completion_tokens = sample_lengths(129);
  report.sent_prompt_tokens = sample_lengths(930);
  report.sent_completion_tokens = sample_lengths(130);
  report.prompt_ks = 0.01;
  report.completion_ks = 0.02;
  report.sampler = "sessions";
  report.sample = SampleDistance{0.03, 0.04, 19366, 1000, 19366, 1000, SharingOrigin::hashed, 0.41, 0.39, 0.42};
  report.cut_prompts = 3;
  report.dropped_prompts = 1;
  report.template_tokens = 11.5;
  report.content = "synthetic";
  report.prefix_sharing_rate = 0.41;
  report.busiest_minute_requests_per_s = 25.5;
  report.cache_state = "warm";
  report.cache_target_rate = 0.41;
  report.cache_measured_rate = 0.40;
  report.levels = {full_sample_level(0, 32, 5690, 642, Verdict::under),
                   full_sample_level(1, 96, 8380, 3070, Verdict::over),
                   full_sample_level(2, 64, 7850, 1390, Verdict::open)};
  report.levels[2].ttft_ms.p99_high.reset();
  Capacity closed;
  closed.estimate_exists = true;
  closed.load = {50.1, 45.2, 55.3};
  closed.requests_per_s = {9.88, 9.1, 10.6};
  closed.output_tokens_per_s = {7250, 6900, 7500};
  closed.interpolated = Interpolated{44.3, 8.9, 6542.08};
  closed.bracket_low = 32;
  closed.bracket_high = 96;
  Capacity open = closed;
  open.kind = LevelKind::request_rate;
  open.crossing = Crossing::above_last_level;
  open.estimate_exists = false;
  open.load = {};
  open.requests_per_s = {0, 7.5, std::nullopt};
  open.output_tokens_per_s = {0, 5500, std::nullopt};
  open.interpolated.reset();
  report.curve = {closed, open, Peak{8380, 96, 1, 3070, 3.07}};
  report.operating_point = closed;
  report.sizing = {Estimate{2.58, 2.41, 2.80}, 1.75, "Three such deployments carry the busiest minute."};
  report.bound = Bound{{{"bandwidth", "3350 GB/s (hardware.json)"}},
                       500,
                       9000,
                       11145,
                       7300,
                       380,
                       "compute",
                       14.5,
                       0.8,
                       0.651,
                       "Close to the limit."};
  report.doubts = {make_doubt("few_levels", std::nullopt, "Three levels are few.")};
  report.sentence = "50 users who wait for each answer: 9.88 requests/s.";
  return report;
}

/// One level that was cut before its window opened; no objective, no log, no bound.
inline RunReport bare_sample_report() {
  RunReport report;
  report.version = "0.1.0";
  report.interrupted = true;
  report.sentence = "The run was cut before a level was measured.";
  report.levels.resize(1);
  return report;
}

}  // namespace loadline
