// The idea: a request's work is a sum over the contexts its tokens see, and min(x, window) summed over a
// run of contexts has a closed form, so the bound of a whole distribution costs one pass over its requests.

#include "bound/roofline.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace loadline {
namespace {

/// Sum of min(x, window) for x = 1 .. last.
double contexts_up_to(double last, std::optional<std::int64_t> window) {
  if (last <= 0) return 0;
  const double seen = window ? std::min(last, static_cast<double>(*window)) : last;
  return seen * (seen + 1) / 2 + (last - seen) * seen;
}

/// Sum of min(x, window) for x = first + 1 .. last.
double contexts_between(double first, double last, std::optional<std::int64_t> window) {
  return std::max(0.0, contexts_up_to(last, window) - contexts_up_to(first, window));
}

double seen_of(double context, std::optional<std::int64_t> window) {
  return window ? std::min(context, static_cast<double>(*window)) : context;
}

}  // namespace

RooflineTerms roofline_terms(const ModelFacts& model, const Hardware& hardware) {
  const double bandwidth = hardware.bandwidth_bytes_per_s * hardware.count;
  const double copies = kv_replication(model, hardware.count);
  const std::optional<double> peak = peak_flops(hardware, model.weights.compute);
  const double operations = peak.value_or(1) * hardware.count;
  RooflineTerms terms;
  terms.dense_read_s = model.dense_bytes_read / bandwidth;
  terms.expert_read_s = model.expert_bytes_read / bandwidth;
  terms.experts = static_cast<double>(model.shape.experts);
  terms.experts_per_token = static_cast<double>(model.shape.experts_per_token);
  terms.kv_write_s = model.kv_bytes_per_token * copies / bandwidth;
  terms.compute_known = peak.has_value();
  terms.layer_compute_s = 2 * model.layer_matmul_parameters / operations;
  terms.head_compute_s = 2 * model.head_matmul_parameters / operations;
  for (const AttentionLayers& layers : model.attention) {
    const double count = static_cast<double>(layers.count);
    terms.context.push_back({layers.window, count * model.kv_bytes_per_token_layer * copies / bandwidth,
                             count * model.decode_flops_per_context_layer / operations,
                             count * model.prefill_flops_per_context_layer / operations});
  }
  return terms;
}

RooflineTerms roofline_terms(const EngineNumbers& engine) {
  RooflineTerms terms;
  terms.dense_read_s = engine.weight_read_s;
  terms.layer_compute_s = engine.token_compute_s;
  terms.context.push_back({std::nullopt, engine.kv_read_s, 0, 0});
  return terms;
}

double distinct_experts(double experts, double experts_per_token, double tokens) {
  return experts * (1 - std::pow(1 - experts_per_token / experts, tokens));
}

double weight_read_s(const RooflineTerms& terms, double tokens) {
  if (terms.experts <= 0) return terms.dense_read_s;
  return terms.dense_read_s + distinct_experts(terms.experts, terms.experts_per_token, tokens) * terms.expert_read_s;
}

double kv_read_s(const RooflineTerms& terms, double context) {
  double total = 0;
  for (const ContextTerms& layers : terms.context) total += layers.kv_read_s * seen_of(context, layers.window);
  return total;
}

double batch_1_tokens_per_s(const RooflineTerms& terms) { return 1 / weight_read_s(terms, 1); }

double StepTime::bound_s() const { return std::max(memory_s, compute_s.value_or(0)); }

StepTime decode_step(const RooflineTerms& terms, double batch, double context) {
  StepTime step;
  step.memory_s = weight_read_s(terms, batch) + batch * kv_read_s(terms, context);
  if (!terms.compute_known) return step;
  double token_s = terms.layer_compute_s + terms.head_compute_s;
  for (const ContextTerms& layers : terms.context) {
    token_s += layers.decode_compute_s * seen_of(context, layers.window);
  }
  step.compute_s = batch * token_s;
  return step;
}

double RequestTime::ceiling_requests_per_s() const { return 1 / std::max(memory_s, compute_s.value_or(0)); }

std::optional<double> RequestTime::serial_requests_per_s() const {
  if (!compute_s) return std::nullopt;
  return 1 / (memory_s + *compute_s);
}

RequestTime request_time(const RooflineTerms& terms, const WorkShape& shape, double batch) {
  check(shape.out >= 1 && shape.fresh >= 0 && shape.cached >= 0 && batch >= 1,
        "a request has an answer, a batch a user");
  const double prompt = shape.fresh + shape.cached;
  const double last = prompt + shape.out - 1;         // the context of the last decode step
  const double tokens = shape.fresh + shape.out - 1;  // through the layers: the first answer comes from prefill
  RequestTime time;
  time.memory_s = (shape.out - 1) * weight_read_s(terms, batch) / batch + tokens * terms.kv_write_s +
                  kv_read_s(terms, shape.cached);
  double compute = tokens * terms.layer_compute_s + shape.out * terms.head_compute_s;
  for (const ContextTerms& layers : terms.context) {
    const double decoded = contexts_between(prompt, last, layers.window);
    time.memory_s += decoded * layers.kv_read_s;
    compute += decoded * layers.decode_compute_s +
               contexts_between(shape.cached, prompt, layers.window) * layers.prefill_compute_s;
  }
  if (terms.compute_known) time.compute_s = compute;
  return time;
}

}  // namespace loadline
