// A model's cost is a sum over its matrices. Each is stored in the converted format, unless the
// quantization config keeps it, and enters up to four sums: parameters, bytes stored, bytes a step reads,
// operations a token needs. An expert enters the first two E times, the last k times, and what a step
// reads of it depends on how many distinct experts its tokens chose, so that sum stays apart.

#include "bound/model_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bound/layer_modules.h"
#include "bound/quantization.h"
#include "core/error.h"

namespace loadline {
namespace {

using nlohmann::json;

struct Formats {
  WeightFormat base, converted;
  Quantization quantization;
};

bool stated(const std::string& override_text) { return !override_text.empty() && override_text != "auto"; }

Formats formats_of(const json& text_part, const json& whole, const ModelShape& shape,
                   const FormatOverrides& overrides) {
  Formats formats;
  formats.base = weight_format_named(shape.base_format, "config.json torch_dtype");
  formats.converted = formats.base;
  for (const json* holder : {&text_part, &whole}) {
    const auto found = holder->find("quantization_config");
    if (found == holder->end() || !found->is_object()) continue;
    formats.quantization = read_quantization(*found, stated(overrides.weights));
    break;
  }
  if (formats.quantization.weights) formats.converted = *formats.quantization.weights;
  if (!stated(overrides.weights)) return formats;
  formats.converted = weight_format_named(overrides.weights, "--weights");
  if (is_plain(formats.converted)) formats.base = formats.converted;
  return formats;
}

const WeightFormat& format_of(const LayerModule& module, const Formats& formats) {
  const bool convertible = module.kind == ModuleKind::linear || module.kind == ModuleKind::expert;
  return convertible && !is_kept(formats.quantization, module.name) ? formats.converted : formats.base;
}

/// Every field may be plausible by itself and their product not.
std::int64_t parameters_of_layer(double parameters, std::size_t index) {
  constexpr double most = 1e14;
  if (parameters <= most) return std::llround(parameters);
  throw Error(fmt::format("config.json: its sizes multiply to {:.3g} parameters in layer {}: no model is so large",
                          parameters, index));
}

void add_layer(const ModelShape& shape, std::size_t index, const Formats& formats, ModelFacts& facts) {
  double total = 0, read = 0;
  const double experts = static_cast<double>(shape.experts), chosen = static_cast<double>(shape.experts_per_token);
  for (const LayerModule& module : modules_of_layer(shape, index)) {
    const double bytes = module.parameters * format_of(module, formats).bytes;
    if (module.kind == ModuleKind::expert || module.kind == ModuleKind::expert_bias) {
      total += experts * module.parameters;
      read += chosen * module.parameters;
      facts.weight_bytes_stored += experts * bytes;
      facts.expert_bytes_read += bytes;
      if (module.kind == ModuleKind::expert) facts.layer_matmul_parameters += chosen * module.parameters;
    } else {
      total += module.parameters;
      read += module.parameters;
      facts.weight_bytes_stored += bytes;
      facts.dense_bytes_read += bytes;
      if (module.kind != ModuleKind::small) facts.layer_matmul_parameters += module.parameters;
    }
  }
  facts.parameters_total += parameters_of_layer(total, index);
  facts.parameters_read_per_token += parameters_of_layer(read, index);
}

void add_ends(const ModelShape& shape, const Formats& formats, ModelFacts& facts) {
  const double table = static_cast<double>(shape.vocabulary) * static_cast<double>(shape.hidden);
  const double norm = static_cast<double>(shape.hidden);
  const double head_bytes =
      table * (formats.quantization.head_converted && !shape.tied ? formats.converted : formats.base).bytes;
  facts.head_matmul_parameters = table;
  facts.parameters_total += std::llround(table * (shape.tied ? 1 : 2) + norm);
  facts.parameters_read_per_token += std::llround(table + norm);
  facts.weight_bytes_stored += table * formats.base.bytes + (shape.tied ? 0 : head_bytes) + norm * formats.base.bytes;
  facts.dense_bytes_read += head_bytes + norm * formats.base.bytes;
}

void add_attention_costs(const ModelShape& s, ModelFacts& facts) {
  const double heads = static_cast<double>(s.query_heads);
  if (s.latent_rank > 0) {
    const double latent = static_cast<double>(s.latent_rank), rope = static_cast<double>(s.rope_dim);
    facts.kv_bytes_per_token_layer = (latent + rope) * facts.kv.bytes;
    facts.decode_flops_per_context_layer = 2 * heads * (2 * latent + rope);
    facts.prefill_flops_per_context_layer = 2 * heads * static_cast<double>(s.nope_dim + s.rope_dim + s.value_dim);
  } else {
    facts.kv_bytes_per_token_layer = 2 * static_cast<double>(s.kv_heads * s.head_dim) * facts.kv.bytes;
    facts.decode_flops_per_context_layer = 4 * heads * static_cast<double>(s.head_dim);
    facts.prefill_flops_per_context_layer = facts.decode_flops_per_context_layer;
  }
  facts.kv_bytes_per_token = facts.kv_bytes_per_token_layer * static_cast<double>(s.layers.size());
  for (const LayerShape& layer : s.layers) {
    const auto group = std::ranges::find(facts.attention, layer.window, &AttentionLayers::window);
    if (group != facts.attention.end()) {
      ++group->count;
    } else {
      facts.attention.push_back({1, layer.window});
    }
  }
}

json parsed_config(std::string_view config_json) {
  json config = json::parse(config_json, nullptr, false);
  if (config.is_object()) return config;
  throw Error("config.json: this is not a JSON object");
}

}  // namespace

ModelFacts parse_model_facts(std::string_view config_json, std::string name, const FormatOverrides& overrides) {
  const json whole = parsed_config(config_json);
  const auto nested = whole.find("text_config");
  json text_part = nested != whole.end() && nested->is_object() ? *nested : whole;
  for (const char* shared : {"torch_dtype", "dtype", "tie_word_embeddings"}) {
    if (!text_part.contains(shared) && whole.contains(shared)) text_part[shared] = whole[shared];
  }

  ModelFacts facts;
  facts.name = std::move(name);
  facts.shape = read_model_shape(text_part);
  const Formats formats = formats_of(text_part, whole, facts.shape, overrides);
  facts.base = formats.base;
  facts.weights = formats.converted;
  facts.kv = formats.quantization.kv.value_or(weight_format_named(facts.shape.base_format, "config.json torch_dtype"));
  if (stated(overrides.kv)) facts.kv = weight_format_named(overrides.kv, "--kv");
  for (std::size_t index = 0; index < facts.shape.layers.size(); ++index) {
    add_layer(facts.shape, index, formats, facts);
  }
  add_ends(facts.shape, formats, facts);
  add_attention_costs(facts.shape, facts);
  return facts;
}

std::string read_model_config(const std::string& path, std::string_view flag) {
  std::filesystem::path file(path);
  std::error_code trouble;
  if (std::filesystem::is_directory(file, trouble)) file /= "config.json";
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (stream) text << stream.rdbuf();
  if (text.str().empty()) {
    throw Error(
        fmt::format("{} {}: cannot read {}, or it is empty; name a Hugging Face config.json or a folder that holds one",
                    flag, path, file.string()));
  }
  return text.str();
}

ModelFacts read_model_facts(const std::string& path, const FormatOverrides& overrides) {
  const std::string text = read_model_config(path, "--model");
  try {
    return parse_model_facts(text, path, overrides);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", path, error.what()), error.status());
  }
}

double kv_replication(const ModelFacts& model, int devices) {
  if (model.shape.latent_rank > 0) return devices;
  return std::max(1.0, static_cast<double>(devices) / static_cast<double>(model.shape.kv_heads));
}

}  // namespace loadline
