#include <cmath>
#include <nlohmann/json.hpp>

#include "report/report_json_parts.h"

namespace loadline {
namespace {

Json json_latency(const LatencySummary& l) {
  return {{"n", l.n},
          {"n_all", l.n_all},
          {"mean", json_number(l.mean)},
          {"p50", json_number(l.p50)},
          {"p90", json_number(l.p90)},
          {"p99", json_number(l.p99)},
          {"p99_low", json_number(l.p99_low)},
          {"p99_high", json_number(l.p99_high)},
          {"p99_failures_as_infinite", json_number(l.p99_failures_as_infinite)},
          {"tau", json_number(l.tau)},
          {"n_eff", json_number(l.n_eff)}};
}

Json json_rate(const RateSummary& rate) {
  return {{"n", rate.n}, {"p50", json_number(rate.p50)}, {"p10", json_number(rate.p10)}};
}

Json json_fluidity(const std::optional<Fluidity>& fluidity) {
  if (!fluidity) return nullptr;
  return {{"n", fluidity->n},
          {"mean", json_number(fluidity->mean)},
          {"p50", json_number(fluidity->p50)},
          {"p10", json_number(fluidity->p10)},
          {"fluent_share", json_number(fluidity->fluent_share)}};
}

Json json_books(const LevelResult& level) {
  Json failed_classes = Json::object();
  for (std::size_t i = 0; i < outcome_count; ++i) {
    const auto outcome = static_cast<Outcome>(i);
    if (failed(outcome) && level.books.of(outcome) > 0)
      failed_classes[std::string(name(outcome))] = level.books.of(outcome);
  }
  return {{"planned", level.books.planned},
          {"ok", level.books.of(Outcome::ok)},
          {"short", level.books.of(Outcome::short_answer)},
          {"failed", failed_classes},
          {"censored", level.books.of(Outcome::censored)},
          {"unsent", level.books.of(Outcome::unsent)}};
}

Json json_client(const ClientSelf& client) {
  const auto lateness = [](const auto& p50, const auto& p99, const auto& max) {
    return Json{{"p50", json_number(p50)}, {"p99", json_number(p99)}, {"max", json_number(max)}};
  };
  return {
      {"send_lateness_ms",
       lateness(client.send_lateness_p50_ms, client.send_lateness_p99_ms, client.send_lateness_max_ms)},
      {"read_lateness_ms",
       lateness(client.read_lateness_p50_ms, client.read_lateness_p99_ms, client.read_lateness_max_ms)},
      {"loop_turn_ms", {{"p99", json_number(client.loop_turn_p99_ms)}, {"max", json_number(client.loop_turn_max_ms)}}},
      {"threads", client.threads},
      {"machines", client.machines},
      {"clock_residual_us", json_number(client.clock_residual_us)},
      {"cpu_share", json_number(client.cpu_share)},
      {"thread_cpu_shares", client.thread_cpu_shares},
      {"kernel_stamped_share", json_number(client.kernel_stamped_share())},
      {"coalesced_share", json_number(client.coalesced_share())},
      {"output_events", client.output_events},
      {"reconnects", client.reconnects},
      {"retries", client.retries},
      {"held_back", client.held_back},
      {"clock_stepped", client.clock_stepped}};
}

Json json_little(const std::optional<LittlesLaw>& little) {
  if (!little) return nullptr;
  return {{"l", json_number(little->l)},
          {"x", json_number(little->x)},
          {"w_s", json_number(little->w_s)},
          {"ratio", json_number(little->ratio)}};
}

Json json_level_bound(const std::optional<LevelBound>& bound) {
  if (!bound) return nullptr;
  return {{"achieved_fraction_of_batch_1", json_number(bound->achieved_fraction_of_batch_1)},
          {"achieved_fraction_of_decode", json_number(bound->achieved_fraction_of_decode)},
          {"achieved_fraction_of_request_ceiling", json_number(bound->achieved_fraction_of_request_ceiling)},
          {"binding", json_text(bound->binding)}};
}

Json json_objective_results(const std::vector<ObjectiveResult>& results) {
  Json list = Json::array();
  for (const ObjectiveResult& result : results) {
    Json object = json_objective(result.objective);
    object["n"] = result.n;
    object["above"] = result.above;
    object["tau"] = json_number(result.tau);
    object["share_low"] = json_number(result.share_low);
    object["share_high"] = json_number(result.share_high);
    object["verdict"] = std::string(name(result.verdict));
    object["value_ms"] = json_number(result.value_ms);
    object["low_ms"] = json_number(result.low_ms);
    object["high_ms"] = json_number(result.high_ms);
    object["n_eff"] = json_number(result.n_eff);
    object["class_latency_ms"] = result.of_class ? json_latency(*result.of_class) : Json(nullptr);
    list.push_back(std::move(object));
  }
  return list;
}

/// A level without a measured window has no rates: they would read as 0.
class LevelObject {
 public:
  explicit LevelObject(const LevelResult& level) : level_(level), measured_(level.measured_s > 0) {}
  Json make() {
    course();
    latencies();
    throughput();
    what_was_sent();
    out_["client"] = json_client(level_.client);
    out_["server"] = nullptr;
    out_["bound"] = json_level_bound(level_.bound);
    out_["doubts"] = json_doubts(level_.doubts);
    return std::move(out_);
  }

 private:
  Json if_measured(double value) const { return measured_ ? json_number(value) : Json(nullptr); }

  void course() {
    const LevelResult& l = level_;
    out_["ordinal"] = l.ordinal;
    out_["kind"] = std::string(name(l.level.kind));
    out_["target"] = json_number(l.level.target);
    out_["arrivals"] = std::string(name(l.level.arrivals));
    out_["burstiness"] = l.level.arrivals == Arrivals::gamma ? json_number(l.level.burstiness) : Json(nullptr);
    out_["arrival_scale"] = l.level.arrivals == Arrivals::trace ? json_number(l.level.arrival_scale) : Json(nullptr);
    const bool closed = l.level.kind == LevelKind::concurrency;
    out_["ramp_s"] = closed ? json_number(seconds(l.level.ramp)) : Json(nullptr);
    out_["max_in_flight"] = l.level.max_in_flight > 0 ? Json(l.level.max_in_flight) : Json(nullptr);
    out_["purpose"] = std::string(name(l.level.purpose));
    out_["pass"] = l.level.pass;
    out_["stability"] = std::string(name(l.stability));
    out_["stability_reason"] = json_text(l.stability_reason);
    out_["verdict"] = l.objectives.empty() ? Json(nullptr) : Json(std::string(name(l.verdict)));
    out_["objectives"] = json_objective_results(l.objectives);
    out_["queue_growth_per_s"] = json_number(l.queue_growth_per_s);
    out_["in_flight_mean"] = if_measured(l.in_flight_mean);
    out_["in_flight_max"] = if_measured(l.in_flight_max);
    out_["littles_law"] = json_little(l.littles_law);
    // A closed loop offers nothing: its users decide when they send.
    const bool offers = l.level.kind == LevelKind::request_rate || l.offered_requests_per_s > 0;
    out_["offered_requests_per_s"] = offers ? if_measured(l.offered_requests_per_s) : Json(nullptr);
    out_["sent_requests_per_s"] = if_measured(l.sent_requests_per_s);
    out_["completed_requests_per_s"] = if_measured(l.completed_requests_per_s);
    out_["warmup_s"] = json_number(l.warmup_s);
    out_["engine_s"] = json_number(l.engine_s);
    out_["warmup_requests"] = l.warmup_requests;
    out_["measured_s"] = json_number(l.measured_s);
    out_["measured_requests"] = l.measured_requests;
    out_["measured_failed"] = l.measured_failed;
    out_["requests"] = json_books(l);
  }
  void latencies() {
    out_["ttft_ms"] = json_latency(level_.ttft_ms);
    out_["first_answer_ms"] = json_latency(level_.first_answer_ms);
    out_["tpot_ms"] = json_latency(level_.tpot_ms);
    out_["itl_ms"] = json_latency(level_.itl_ms);
    out_["chunk_gap_ms"] = json_latency(level_.chunk_gap_ms);
    out_["e2e_ms"] = json_latency(level_.e2e_ms);
    out_["service_ttft_ms"] = json_latency(level_.service_ttft_ms);
  }
  void throughput() {
    const LevelResult& l = level_;
    out_["user_rate_tokens_per_s"] = json_rate(l.user_rate);
    out_["end_to_end_rate_tokens_per_s"] = json_rate(l.end_to_end_rate);
    out_["aggregate_per_user_tokens_per_s"] = json_number(l.aggregate_per_user_tokens_per_s);
    out_["aggregate_output_tokens_per_s"] = json_number(l.known_output_tokens_per_s());
    out_["fluidity"] = json_fluidity(l.fluidity);
    out_["failure_messages"] = Json::array();
    for (const FailureMessage& said : l.failure_messages) {
      out_["failure_messages"].push_back(
          {{"outcome", std::string(name(said.outcome))}, {"message", json_text(said.message)}, {"count", said.count}});
    }
    out_["failed_output_tokens"] = measured_ ? Json(l.failed_output_tokens) : Json(nullptr);
    out_["goodput_requests_per_s"] = json_number(l.goodput_requests_per_s);
    out_["goodput_output_tokens_per_s"] = json_number(l.goodput_output_tokens_per_s);
    out_["attainment"] = json_number(l.attainment);
  }
  void what_was_sent() {
    const LevelResult& l = level_;
    out_["cache"] = {{"target_rate", json_number(l.cache.target_rate)},
                     {"measured_rate", json_number(l.cache.measured_rate)},
                     {"source", json_text(l.cache.source)}};
    out_["prompts"] = l.prompts ? Json{{"sent", l.prompts->sent}, {"unique", l.prompts->unique}} : Json(nullptr);
    out_["prompt_tokens"] = json_lengths(l.prompt_tokens);
    out_["completion_tokens"] = json_lengths(l.completion_tokens);
    out_["planned_prompt_tokens"] = json_lengths(l.planned_prompt_tokens);
    out_["planned_completion_tokens"] = json_lengths(l.planned_completion_tokens);
    out_["request_digests"] = Json::object();
    for (const auto& [count, digest] : l.request_digests)
      out_["request_digests"][std::to_string(count)] = json_text(digest);
    out_["lengths_obeyed_share"] = json_number(l.lengths_obeyed_share);
    out_["coalesced_requests"] = l.coalesced_requests;
    out_["in_decode_mean"] = if_measured(l.in_decode_mean);
    out_["mean_context_tokens"] = l.completion_tokens.n > 0 ? json_number(l.mean_context_tokens) : Json(nullptr);
  }

  const LevelResult& level_;
  bool measured_;
  Json out_;
};

}  // namespace

Json json_level(const LevelResult& level) { return LevelObject(level).make(); }

}  // namespace loadline
