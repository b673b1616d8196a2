#include "measure/measure.h"

#include <fmt/format.h>

#include "core/error.h"
#include "measure/checks.h"
#include "measure/failure_messages.h"
#include "measure/fluidity.h"
#include "measure/gap_series.h"
#include "measure/goodput.h"
#include "measure/in_flight.h"
#include "measure/latency_series.h"
#include "measure/lengths_told.h"
#include "measure/level_doubts.h"
#include "measure/measured_set.h"
#include "measure/token_flow.h"

namespace loadline {
namespace {

// The aggregate may miss no more than p99 leaves room for.
constexpr double most_uncounted = 0.01;

void tell_counts_and_rates(const LevelRecords& records, const MeasuredSet& set, LevelResult& result) {
  result.warmup_s =
      set.has_window ? seconds(set.window.start - records.started) : seconds(records.ended - records.started);
  result.engine_s = seconds(records.ended - records.started);
  result.measured_s = set.has_window ? set.window.seconds() : 0;
  result.warmup_requests = set.warmup;
  result.measured_requests = set.members.size();
  result.measured_failed = set.failed;
  if (!set.has_window || set.window.seconds() <= 0) return;
  std::uint64_t sent = 0;
  for (const RequestRecord& record : records.requests) sent += record.sent && set.window.holds(*record.sent) ? 1 : 0;
  result.offered_requests_per_s = static_cast<double>(set.members.size()) / set.window.seconds();
  result.sent_requests_per_s = static_cast<double>(sent) / set.window.seconds();
  result.completed_requests_per_s = static_cast<double>(set.succeeded.size()) / set.window.seconds();
}

void tell_flow(const LevelRecords& records, const MeasuredSet& set, LevelResult& result) {
  if (!set.has_window || set.window.seconds() <= 0) return;
  const Occupancy occupied = occupancy(records, set.window);
  result.in_flight_mean = occupied.in_flight_mean;
  result.in_flight_max = occupied.in_flight_max;
  result.in_decode_mean = occupied.in_decode_mean;
  result.littles_law = littles_law(records, set, occupied.in_flight_mean);
  const TokenFlow flow = token_flow(records, set.window);
  result.aggregate_output_tokens_per_s = flow.succeeded / set.window.seconds();
  result.failed_output_tokens = static_cast<std::uint64_t>(flow.failed + 0.5);
  result.tokens_counted = static_cast<double>(flow.uncounted) <= most_uncounted * static_cast<double>(flow.answers);
  if (occupied.in_flight_mean > 0 && result.tokens_counted) {
    result.aggregate_per_user_tokens_per_s = result.aggregate_output_tokens_per_s / occupied.in_flight_mean;
  }
}

void tell_latencies(const LevelRecords& records, const MeasuredSet& set, LevelResult& result) {
  const auto summary = [&](const auto& latency) {
    return summarise_latency(latency_series(records, set.members, latency));
  };
  const auto of = [](Latency metric) {
    return [metric](const RequestRecord& record) { return latency_ns(record, metric); };
  };
  result.ttft_ms = summary(of(Latency::ttft));
  result.tpot_ms = summary(of(Latency::tpot));
  result.e2e_ms = summary(of(Latency::e2e));
  result.service_ttft_ms = summary(service_ttft_ns);
  result.first_answer_ms = summary(first_answer_ns);
  result.user_rate = summarise_rate(rate_series(records, set.members, [](const RequestRecord& record) {
    return record.coalesced ? std::nullopt : user_rate(record);
  }));
  result.end_to_end_rate = summarise_rate(rate_series(records, set.members, end_to_end_rate));
  for (const std::uint32_t member : set.succeeded)
    result.coalesced_requests += records.requests[member].coalesced ? 1 : 0;
  LatencySummary& gaps = chunks_are_tokens(records, set.members) ? result.itl_ms : result.chunk_gap_ms;
  gaps = GapSeries(records, set.members).summarise();
}

LatencySummary latency_of_class(const LevelRecords& records, const MeasuredSet& set, const Objective& objective) {
  const std::vector<std::uint32_t> members = members_of_class(records, set.members, *objective.of);
  if (objective.metric == Latency::itl) {
    return chunks_are_tokens(records, members) ? GapSeries(records, members).summarise() : LatencySummary{};
  }
  return summarise_latency(latency_series(
      records, members, [&](const RequestRecord& record) { return latency_ns(record, objective.metric); }));
}

// A queue that grows has no percentile: what was seen depends on how long one looked.
void drop_percentiles(LevelResult& result) {
  std::vector<LatencySummary*> summaries = {&result.ttft_ms,        &result.first_answer_ms, &result.tpot_ms,
                                            &result.itl_ms,         &result.chunk_gap_ms,    &result.e2e_ms,
                                            &result.service_ttft_ms};
  for (ObjectiveResult& objective : result.objectives) {
    objective.value_ms.reset();
    objective.low_ms.reset();
    objective.high_ms.reset();
    if (objective.of_class) summaries.push_back(&*objective.of_class);
  }
  for (LatencySummary* summary : summaries) {
    summary->p99.reset();
    summary->p99_low.reset();
    summary->p99_high.reset();
    summary->p99_failures_as_infinite.reset();
  }
}

std::uint64_t failures_of_all(const Books& books) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < outcome_count; ++i) sum += failed(static_cast<Outcome>(i)) ? books.by_outcome[i] : 0;
  return sum;
}

void judge_stability(const LevelRecords& records, const MeasuredSet& set, const LevelRules& rules,
                     LevelResult& result) {
  if (set.has_window)
    result.queue_growth_per_s = growth_of_queue(records, set.window, rules);
  else
    result.queue_growth_per_s = growth_of_queue(records, Window{records.ended, records.ended}, rules);
  for (const Objective& objective : rules.objectives) {
    result.objectives.push_back(check_objective(records, set.members, objective, rules.precision).result);
    if (objective.of) result.objectives.back().of_class = latency_of_class(records, set, objective);
  }
  result.verdict = verdict_of_all(result.objectives);
  if (result.queue_growth_per_s) {
    result.stability = Stability::saturated;
    // A queue that grows for good passes any limit.
    if (!rules.objectives.empty()) result.verdict = Verdict::over;
    result.stability_reason =
        fmt::format("saturated, the queue grows by {:.3g} requests/s per second", *result.queue_growth_per_s);
    drop_percentiles(result);
    return;
  }
  const std::uint64_t ended_well = result.books.of(Outcome::ok) + result.books.of(Outcome::short_answer);
  if (set.succeeded.empty() && set.failed > 0) {
    result.stability_reason = fmt::format("every request failed, {} in the window", set.failed);
    return;
  }
  if (!set.has_window && ended_well == 0 && failures_of_all(result.books) > 0) {
    result.stability_reason = "every request failed during warm-up";
    return;
  }
  Checks checks(rules);
  checks.finish(records, set.members);
  result.stability = checks.outcome().value_or(Stability::not_stabilised);
  result.stability_reason = checks.reason();
  // A level of a prescribed length goes on after its verdict held at two checks, and may lose it again.
  if (result.stability == Stability::decided && result.verdict == Verdict::open) {
    result.stability = Stability::not_stabilised;
    result.stability_reason += fmt::format("; over all {} requests it is open", set.members.size());
  }
}

}  // namespace

LevelResult measure(const LevelRecords& records, const LevelRules& run_rules, const GoodputLimits& limits,
                    double engine_speed, const ClientCalibration* calibration) {
  check(engine_speed > 0, "engine time runs forward");
  const LevelRules rules = rules_of(records.level, run_rules);
  const MeasuredSet set = measured_set(records, rules);
  LevelResult result;
  result.ordinal = records.ordinal;
  result.level = records.level;
  result.client = records.client;
  result.books = books_of(records, set);
  result.failure_messages = failure_messages(records);
  tell_counts_and_rates(records, set, result);
  tell_flow(records, set, result);
  tell_latencies(records, set, result);
  tell_lengths(records, set, result);
  const GoodputLimits per_request = effective_limits(limits, rules.objectives);
  tell_goodput(records, set, per_request, result);
  tell_fluidity(records, set, per_request, result);
  judge_stability(records, set, rules, result);
  result.doubts = level_doubts(records, set, rules, result, engine_speed, calibration);
  return result;
}

}  // namespace loadline
