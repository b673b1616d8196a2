#include "bound/bound_at.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bound/bound_table.h"
#include "core/error.h"

namespace loadline {
namespace {

constexpr double much_headroom_below = 0.35, close_from = 0.60;

/// Means of M / BW, C / F and of the generated tokens over the requests.
struct MeanRequest {
  RequestTime time;
  double out = 0;
};
MeanRequest mean_request(const RooflineTerms& terms, const MeasuredLoad& load) {
  MeanRequest mean;
  double memory = 0, compute = 0;
  for (const WorkShape& shape : load.requests) {
    const RequestTime time = request_time(terms, shape, load.batch);
    memory += time.memory_s;
    compute += time.compute_s.value_or(0);
    mean.out += shape.out;
  }
  const double count = static_cast<double>(load.requests.size());
  mean.time.memory_s = memory / count;
  if (terms.compute_known) mean.time.compute_s = compute / count;
  mean.out /= count;
  return mean;
}

void add_load_inputs(const MeasuredLoad& load, double mean_out, Bound& bound) {
  bound.inputs.emplace_back("B", fmt::format("{:.2f} requests in decode, measured", load.batch));
  bound.inputs.emplace_back("context", fmt::format("{:.1f} tokens, measured mean", load.context));
  bound.inputs.emplace_back("requests",
                            fmt::format("{}, {:.1f} output tokens each on average", load.requests.size(), mean_out));
}

std::string seconds_in_ns(double seconds) { return fmt::format("{:g} ns", seconds * 1e9); }

}  // namespace

std::optional<MeasuredLoad> measured_load(const LevelResult& level) {
  if (!level.tokens_counted) return std::nullopt;
  MeasuredLoad load;
  load.batch = std::max(1.0, level.in_decode_mean);
  load.context = level.mean_context_tokens;
  load.aggregate_output_tokens_per_s = level.aggregate_output_tokens_per_s;
  for (const LevelResult::RequestShape& shape : level.shapes) {
    if (shape.out_tokens < 1) continue;
    load.requests.push_back({static_cast<double>(std::max<std::int64_t>(0, shape.new_tokens)),
                             static_cast<double>(std::max<std::int64_t>(0, shape.cached_tokens)),
                             static_cast<double>(shape.out_tokens)});
  }
  const LevelResult::RequestMeans& means = level.request_means;
  if (load.requests.empty() && means.out_tokens >= 1) {
    load.requests.push_back({means.new_tokens, means.cached_tokens, means.out_tokens});
  }
  if (load.requests.empty()) return std::nullopt;
  return load;
}

Bound bound_at(const RooflineTerms& terms, const MeasuredLoad& load, std::optional<double> kv_capacity_requests,
               std::vector<std::pair<std::string, std::string>> inputs) {
  check(!load.requests.empty() && load.batch >= 1, "a bound stands beside a load with requests");
  const MeanRequest mean = mean_request(terms, load);
  Bound bound;
  bound.inputs = std::move(inputs);
  add_load_inputs(load, mean.out, bound);
  bound.batch_1_tokens_per_s = batch_1_tokens_per_s(terms);
  bound.decode_tokens_per_s = load.batch / decode_step(terms, load.batch, load.context).bound_s();
  bound.request_ceiling_tokens_per_s = mean.time.ceiling_requests_per_s() * mean.out;
  if (const auto serial = mean.time.serial_requests_per_s()) bound.serial_tokens_per_s = *serial * mean.out;
  bound.kv_capacity_requests = kv_capacity_requests;
  bound.binding = mean.time.compute_s.value_or(0) > mean.time.memory_s ? "compute" : "memory";
  const double achieved = load.aggregate_output_tokens_per_s;
  bound.achieved_fraction_of_batch_1 = achieved / bound.batch_1_tokens_per_s;
  bound.achieved_fraction_of_decode = achieved / bound.decode_tokens_per_s;
  bound.achieved_fraction_of_request_ceiling = achieved / bound.request_ceiling_tokens_per_s;
  bound.diagnosis = diagnosis(*bound.achieved_fraction_of_request_ceiling, *bound.achieved_fraction_of_batch_1);
  if (!terms.compute_known) {
    bound.diagnosis += " The device's compute peak is not known, so this ceiling comes from memory alone.";
  }
  return bound;
}

std::optional<Bound> bound_at(const ModelFacts& model, const Hardware& hardware, const LevelResult& level,
                              double overhead_bytes) {
  const std::optional<MeasuredLoad> load = measured_load(level);
  if (!load) return std::nullopt;
  std::optional<double> fitting;
  if (load->context > 0) {
    fitting = static_cast<double>(kv_capacity(model, hardware, load->context, overhead_bytes).requests);
  }
  std::vector<std::pair<std::string, std::string>> inputs = bound_inputs(model, hardware);
  for (const std::string& note : bound_notes(model, hardware)) inputs.emplace_back("note", note);
  return bound_at(roofline_terms(model, hardware), *load, fitting, std::move(inputs));
}

std::optional<Bound> bound_at(const EngineNumbers& engine, const LevelResult& level) {
  const std::optional<MeasuredLoad> load = measured_load(level);
  if (!load) return std::nullopt;
  std::vector<std::pair<std::string, std::string>> inputs = {
      {"hardware", "simulated"},
      {"weight read", fmt::format("{:g} ms a step", engine.weight_read_s * 1e3)},
      {"KV read", seconds_in_ns(engine.kv_read_s) + " a token of context"},
      {"compute", seconds_in_ns(engine.token_compute_s) + " a token"}};
  std::optional<double> fitting;
  if (engine.kv_tokens && load->context > 0) fitting = std::floor(*engine.kv_tokens / load->context);
  return bound_at(roofline_terms(engine), *load, fitting, std::move(inputs));
}

LevelBound level_bound(const Bound& bound) {
  return {bound.achieved_fraction_of_batch_1, bound.achieved_fraction_of_decode,
          bound.achieved_fraction_of_request_ceiling, bound.binding};
}

std::string diagnosis(double fraction_of_ceiling, double fraction_of_batch_1) {
  const double percent = 100 * fraction_of_ceiling;
  if (fraction_of_ceiling > 1) {
    return fmt::format(
        "{:.1f}% of the request ceiling is not possible: a fact is wrong (dtype, device count, prefix "
        "cache or speculative decoding not declared); this is an error, not a record.",
        percent);
  }
  const std::string shared = fraction_of_batch_1 > 1
                                 ? fmt::format("; weight reads are shared by {:.1f} users", fraction_of_batch_1)
                                 : fmt::format("; {:.1f}% of the batch-1 bound", 100 * fraction_of_batch_1);
  if (fraction_of_ceiling < much_headroom_below) {
    return fmt::format(
        "{:.1f}% of the request ceiling: much headroom, look for launch gaps, collectives and "
        "scattered reads{}.",
        percent, shared);
  }
  if (fraction_of_ceiling < close_from) {
    return fmt::format(
        "{:.1f}% of the request ceiling: some headroom, in gaps between steps, collectives or prefill "
        "that does not overlap{}.",
        percent, shared);
  }
  return fmt::format("{:.1f}% of the request ceiling: close to what the hardware allows{}.", percent, shared);
}

}  // namespace loadline
