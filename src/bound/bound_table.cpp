#include "bound/bound_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace loadline {
namespace {

constexpr double usable_memory_share = 0.9;

double all_memory(const Hardware& hardware) { return hardware.memory_bytes * hardware.count; }

/// Two all-reduces a layer, each 2 (g - 1) / g of the batch's hidden states over one device's link.
std::optional<double> step_link_s(const ModelFacts& model, const Hardware& hardware, double batch) {
  if (hardware.count < 2 || !hardware.link_bytes_per_s) return std::nullopt;
  const double devices = hardware.count;
  const double bytes = batch * static_cast<double>(model.shape.hidden) * model.base.bytes;
  return 2.0 * static_cast<double>(model.shape.layers.size()) * 2 * (devices - 1) / devices * bytes /
         *hardware.link_bytes_per_s;
}

RequestBound request_bound(const RequestTime& time, double out) {
  RequestBound bound;
  bound.memory_s = time.memory_s;
  bound.compute_s = time.compute_s;
  bound.ceiling_requests_per_s = time.ceiling_requests_per_s();
  bound.serial_requests_per_s = time.serial_requests_per_s();
  bound.ceiling_output_tokens_per_s = bound.ceiling_requests_per_s * out;
  if (bound.serial_requests_per_s) bound.serial_output_tokens_per_s = *bound.serial_requests_per_s * out;
  return bound;
}

BoundRow bound_row(const ModelFacts& model, const Hardware& hardware, const RooflineTerms& terms,
                   const BoundQuestion& question, double batch, double context) {
  const double bandwidth = hardware.bandwidth_bytes_per_s * hardware.count;
  const StepTime step = decode_step(terms, batch, context);
  BoundRow row;
  row.concurrency = batch;
  row.batch_1_tokens_per_s = batch_1_tokens_per_s(terms);
  row.weights_only_tokens_per_s = batch / weight_read_s(terms, batch);
  row.decode_memory_tokens_per_s = batch / step.memory_s;
  if (step.compute_s) row.decode_compute_tokens_per_s = batch / *step.compute_s;
  row.decode_tokens_per_s = batch / step.bound_s();
  row.step_memory_s = step.memory_s;
  row.step_compute_s = step.compute_s;
  row.step_link_s = step_link_s(model, hardware, batch);
  row.weight_bytes_per_step = model.dense_bytes_read;
  row.kv_bytes_read_per_token = kv_read_s(terms, context) * bandwidth;
  if (terms.experts > 0) {
    row.distinct_experts = distinct_experts(terms.experts, terms.experts_per_token, batch);
    row.weight_bytes_per_step += *row.distinct_experts * model.expert_bytes_read;
  }
  row.kv_capacity = kv_capacity(model, hardware, context, question.overhead_bytes);
  const RequestTime time = request_time(terms, question.request, batch);
  row.request = request_bound(time, question.request.out);
  row.binding = time.compute_s.value_or(0) > time.memory_s ? "compute" : "memory";
  return row;
}

void check_question(const BoundQuestion& question) {
  if (question.concurrency.empty()) throw Error("--concurrency: give at least one number of users");
  for (const double batch : question.concurrency) {
    if (!(batch >= 1)) throw Error(fmt::format("--concurrency {}: must be at least 1", batch));
  }
  if (!(question.request.out >= 1)) throw Error("--out: a request generates at least 1 token");
  if (!(question.request.fresh >= 0)) throw Error("--new: must not be negative");
  if (!(question.request.cached >= 0)) throw Error("--cached: must not be negative");
  if (question.context && !(*question.context >= 0)) throw Error("--context: must not be negative");
}

}  // namespace

KvCapacity kv_capacity(const ModelFacts& model, const Hardware& hardware, double context, double overhead_bytes) {
  const double copies = kv_replication(model, hardware.count);
  const double left =
      std::max(0.0, usable_memory_share * all_memory(hardware) - model.weight_bytes_stored - overhead_bytes);
  double resident = 0;
  for (const AttentionLayers& layers : model.attention) {
    const double seen = layers.window ? std::min(context, static_cast<double>(*layers.window)) : context;
    resident += static_cast<double>(layers.count) * model.kv_bytes_per_token_layer * copies * seen;
  }
  KvCapacity capacity;
  capacity.tokens = static_cast<std::int64_t>(std::floor(left / (model.kv_bytes_per_token * copies)));
  if (resident > 0) capacity.requests = static_cast<std::int64_t>(std::floor(left / resident));
  return capacity;
}

std::vector<std::pair<std::string, std::string>> bound_inputs(const ModelFacts& model, const Hardware& hardware) {
  const std::optional<double> peak = peak_flops(hardware, model.weights.compute);
  std::vector<std::pair<std::string, std::string>> inputs = {
      {"model", fmt::format("{} ({})", model.name, model.shape.model_type)},
      {"parameters",
       fmt::format("{} in total, {} read per token", model.parameters_total, model.parameters_read_per_token)},
      {"weights",
       fmt::format("{} ({:.7g} bytes each), the rest {}", model.weights.name, model.weights.bytes, model.base.name)},
      {"weight bytes", fmt::format("{:.3f} GB stored", model.weight_bytes_stored / 1e9)},
      {"KV cache", fmt::format("{}, {:.0f} bytes a token, {:g} copies", model.kv.name, model.kv_bytes_per_token,
                               kv_replication(model, hardware.count))},
      {"hardware", fmt::format("{}x{}", hardware.count, hardware.name)},
      {"memory", fmt::format("{:.3f} GB a device", hardware.memory_bytes / 1e9)},
      {"bandwidth", fmt::format("{:.0f} GB/s a device", hardware.bandwidth_bytes_per_s / 1e9)},
      {"peak", peak ? fmt::format("{:.1f} TFLOPS a device for {} weights", *peak / 1e12, model.weights.name)
                    : std::string("unknown")},
      {"hardware source", hardware.source}};
  for (const AttentionLayers& layers : model.attention) {
    if (!layers.window) continue;
    inputs.emplace_back("sliding attention",
                        fmt::format("{} layers see at most {} tokens", layers.count, *layers.window));
  }
  return inputs;
}

std::vector<std::string> bound_notes(const ModelFacts& model, const Hardware& hardware) {
  std::vector<std::string> notes;
  if (!peak_flops(hardware, model.weights.compute)) {
    notes.push_back(
        fmt::format("The peak of {} is not known: compute terms are absent, decode and ceiling come "
                    "from memory alone.",
                    hardware.name));
  }
  if (!hardware.unverified.empty()) {
    notes.push_back(fmt::format("No document confirmed these figures of {}: {}.", hardware.name, hardware.unverified));
  }
  if (model.shape.experts > 0) {
    notes.push_back(
        "Distinct experts suppose even routing; a skewed router reads less, so the ceiling is an estimate.");
  }
  if (model.weight_bytes_stored > usable_memory_share * all_memory(hardware)) {
    notes.push_back(
        fmt::format("The weights ({:.1f} GB) do not fit into {:.0f}% of {}x{} ({:.1f} GB): no request fits.",
                    model.weight_bytes_stored / 1e9, 100 * usable_memory_share, hardware.count, hardware.name,
                    usable_memory_share * all_memory(hardware) / 1e9));
  }
  return notes;
}

BoundTable bound_table(const ModelFacts& model, const Hardware& hardware, const BoundQuestion& question) {
  check_question(question);
  const RooflineTerms terms = roofline_terms(model, hardware);
  const WorkShape& request = question.request;
  BoundTable table;
  table.model = model.name;
  table.hardware = fmt::format("{}x{}", hardware.count, hardware.name);
  table.parameters_total = model.parameters_total;
  table.parameters_read_per_token = model.parameters_read_per_token;
  table.weight_bytes_stored = model.weight_bytes_stored;
  table.kv_bytes_per_token = model.kv_bytes_per_token;
  table.kv_replication = kv_replication(model, hardware.count);
  table.context_tokens = question.context.value_or(request.fresh + request.cached + request.out / 2);
  table.new_tokens = request.fresh;
  table.cached_tokens = request.cached;
  table.out_tokens = request.out;
  table.inputs = bound_inputs(model, hardware);
  table.notes = bound_notes(model, hardware);
  for (const double batch : question.concurrency) {
    table.rows.push_back(bound_row(model, hardware, terms, question, batch, table.context_tokens));
  }
  return table;
}

}  // namespace loadline
