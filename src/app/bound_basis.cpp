#include "app/bound_basis.h"

#include <fmt/format.h>

#include <algorithm>

#include "curve/nearest_level.h"
#include "bound/bound_at.h"
#include "bound/bound_table.h"
#include "core/error.h"

namespace loadline {
namespace {

/// What --fact model.quantization says, where it names a type of weights: one statement serves report and bound.
std::string stated_quantization(const RunSpec& spec) {
  constexpr std::string_view key = "model.quantization=";
  for (const std::string& fact : spec.fact) {
    if (!fact.starts_with(key)) continue;
    const std::string value = fact.substr(key.size());
    if (is_weight_format(value)) return value;
  }
  return "";
}

ModelFacts model_of(const BoundBasis& basis) {
  return parse_model_facts(basis.model_config, "the model's config.json", {basis.weights, basis.kv});
}

std::optional<Bound> bound_of(const BoundBasis& basis, const LevelResult& level) {
  if (basis.kind == "simulated") {
    return bound_at(
        EngineNumbers{basis.weights_read_s, basis.kv_read_s_per_token, basis.compute_s_per_token, basis.kv_tokens},
        level);
  }
  return bound_at(model_of(basis), parse_hardware(basis.hardware), level);
}

/// The level nearest to the operating point, moved to it: its requests, the point's concurrency and throughput.
/// Without an operating point the peak, which is what was achieved.
std::optional<LevelResult> level_to_judge(const RunReport& report) {
  if (report.operating_point && report.operating_point->estimate_exists) {
    const Capacity& point = *report.operating_point;
    const LevelResult* nearest = nearest_level(report.levels, point.kind, point.load.value);
    if (nearest == nullptr || point.output_tokens_per_s.value <= 0) return std::nullopt;
    LevelResult moved = *nearest;
    moved.in_decode_mean *= point.load.value / nearest->level.target;
    moved.aggregate_output_tokens_per_s = point.output_tokens_per_s.value;
    return moved;
  }
  for (const LevelResult& level : report.levels) {
    if (report.curve.peak && level.ordinal == report.curve.peak->ordinal) return level;
  }
  return std::nullopt;
}

}  // namespace

BoundBasis bound_basis_of(const RunSpec& spec) {
  BoundBasis basis;
  if (spec.model_config.empty() && !(spec.weights.empty() && spec.kv.empty())) {
    throw Error("--weights and --kv say how a model is stored; they need --model-config");
  }
  if (!spec.hardware.empty()) parse_hardware(spec.hardware);
  if (!spec.model_config.empty()) basis.model_config = read_model_config(spec.model_config, "--model-config");
  basis.hardware = spec.hardware;
  basis.weights = spec.weights.empty() ? stated_quantization(spec) : spec.weights;
  basis.kv = spec.kv;
  if (!basis.model_config.empty()) model_of(basis);
  basis.kind = basis.model_config.empty() || basis.hardware.empty() ? "none" : "model";
  return basis;
}

void add_bound(const BoundBasis& basis, RunReport& report) {
  if (basis.kind == "none") {
    if (basis.model_config.empty()) report.bound_missing.emplace_back("the model's config.json (--model-config)");
    if (basis.hardware.empty()) report.bound_missing.emplace_back("the hardware (--hardware, such as 8xH100-SXM)");
    return;
  }
  for (LevelResult& level : report.levels) {
    if (const std::optional<Bound> bound = bound_of(basis, level)) level.bound = level_bound(*bound);
  }
  if (const std::optional<LevelResult> level = level_to_judge(report)) report.bound = bound_of(basis, *level);
}

}  // namespace loadline
