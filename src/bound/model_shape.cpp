#include "bound/model_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/error.h"

namespace loadline {
namespace {

using nlohmann::json;

enum class Sliding { never, all_layers, upper_layers, pattern };
enum class Experts { none, every_layer, sparse_step, after_dense };

/// What a family's code decides and its config.json does not say.
struct Family {
  std::string_view model_type;
  Experts experts;
  bool latent_attention, qkv_bias, query_key_norms;
  std::int64_t norms_per_layer;
  bool tied_by_default;
  Sliding sliding;
  std::int64_t default_pattern;  ///< every this-many-th layer is full
};

constexpr std::array<Family, 14> families = {{
    {"llama", Experts::none, false, false, false, 2, false, Sliding::never, 0},
    {"mistral", Experts::none, false, false, false, 2, false, Sliding::all_layers, 0},
    {"mixtral", Experts::every_layer, false, false, false, 2, false, Sliding::all_layers, 0},
    {"phi3", Experts::none, false, false, false, 2, false, Sliding::all_layers, 0},
    {"qwen2", Experts::none, false, true, false, 2, false, Sliding::upper_layers, 0},
    {"qwen2_moe", Experts::sparse_step, false, true, false, 2, false, Sliding::upper_layers, 0},
    {"qwen3", Experts::none, false, false, true, 2, false, Sliding::upper_layers, 0},
    {"qwen3_moe", Experts::sparse_step, false, false, true, 2, false, Sliding::upper_layers, 0},
    {"deepseek_v2", Experts::after_dense, true, false, false, 2, false, Sliding::never, 0},
    {"deepseek_v3", Experts::after_dense, true, false, false, 2, false, Sliding::never, 0},
    {"gpt_oss", Experts::every_layer, false, true, false, 2, false, Sliding::pattern, 2},
    {"gemma3_text", Experts::none, false, false, true, 4, true, Sliding::pattern, 6},
    {"gemma3", Experts::none, false, false, true, 4, true, Sliding::pattern, 6},
    {"smollm3", Experts::none, false, false, false, 2, true, Sliding::upper_layers, 0},
}};

const Family& family_of(const json& config) {
  const auto type = config.find("model_type");
  if (type == config.end() || !type->is_string()) {
    throw Error("config.json: model_type is missing; this is not a Hugging Face model configuration");
  }
  const std::string text = type->get<std::string>();
  const auto row = std::ranges::find(families, text, &Family::model_type);
  if (row != families.end()) return *row;
  std::string known;
  for (const Family& family : families) known += (known.empty() ? "" : ", ") + std::string(family.model_type);
  throw Error(
      fmt::format("config.json: model_type \"{}\" is an architecture whose bytes and operations are not "
                  "known here; known are {}",
                  text, known));
}

/// The largest value of a field that anybody will mean; products of two of them stay far inside a 64-bit number.
std::int64_t largest_of(std::string_view field) {
  struct Limit {
    std::string_view field;
    std::int64_t largest;
  };
  constexpr Limit limits[] = {
      {"num_hidden_layers", 10'000},
      {"first_k_dense_replace", 10'000},
      {"moe_layer_freq", 10'000},
      {"decoder_sparse_step", 10'000},
      {"max_window_layers", 10'000},
      {"sliding_window_pattern", 10'000},
      {"vocab_size", 100'000'000},
      {"num_attention_heads", 100'000},
      {"num_key_value_heads", 100'000},
      {"num_local_experts", 100'000},
      {"num_experts", 100'000},
      {"n_routed_experts", 100'000},
      {"num_experts_per_tok", 100'000},
      {"experts_per_token", 100'000},
      {"n_shared_experts", 100'000},
      {"sliding_window", 1'000'000'000},
      {"head_dim", 100'000},
      {"qk_nope_head_dim", 100'000},
      {"qk_rope_head_dim", 100'000},
      {"v_head_dim", 100'000},
  };
  const auto* const row = std::ranges::find(limits, field, &Limit::field);
  return row == std::ranges::end(limits) ? 10'000'000 : row->largest;  // sizes of the vectors between matrices
}

std::optional<std::int64_t> optional_size(const json& config, const char* field) {
  const auto found = config.find(field);
  if (found == config.end() || found->is_null()) return std::nullopt;
  const bool is_whole = found->is_number_integer();
  // An unsigned number above the signed ones would come out negative.
  if (is_whole && found->is_number_unsigned() &&
      found->get<std::uint64_t>() > static_cast<std::uint64_t>(largest_of(field))) {
    throw Error(fmt::format("config.json: {} is {}, above {}: no model is so large", field, found->get<std::uint64_t>(),
                            largest_of(field)));
  }
  if (!is_whole || found->get<std::int64_t>() < 0) {
    throw Error(fmt::format("config.json: {} must be a whole number, not below 0", field));
  }
  return found->get<std::int64_t>();
}

std::int64_t needed_size(const json& config, std::initializer_list<const char*> fields) {
  for (const char* field : fields) {
    const std::optional<std::int64_t> size = optional_size(config, field);
    if (!size) continue;
    if (*size == 0) throw Error(fmt::format("config.json: {} must be above 0", field));
    return *size;
  }
  throw Error(
      fmt::format("config.json: the field {} is missing; without it the bound cannot be computed", *fields.begin()));
}

bool switched(const json& config, const char* field, bool otherwise) {
  const auto found = config.find(field);
  return found != config.end() && found->is_boolean() ? found->get<bool>() : otherwise;
}

void read_attention(const json& config, const Family& family, ModelShape& shape) {
  shape.query_heads = needed_size(config, {"num_attention_heads"});
  shape.kv_heads = optional_size(config, "num_key_value_heads").value_or(shape.query_heads);
  if (shape.kv_heads == 0) throw Error("config.json: num_key_value_heads must be above 0");
  shape.latent_rank = optional_size(config, "kv_lora_rank").value_or(0);
  if (family.latent_attention) {
    shape.latent_rank = needed_size(config, {"kv_lora_rank"});
    shape.query_rank = optional_size(config, "q_lora_rank").value_or(0);
    shape.nope_dim = needed_size(config, {"qk_nope_head_dim"});
    shape.rope_dim = needed_size(config, {"qk_rope_head_dim"});
    shape.value_dim = needed_size(config, {"v_head_dim"});
  } else {
    shape.latent_rank = 0;
    const std::int64_t stated = optional_size(config, "head_dim").value_or(0);
    shape.head_dim = stated > 0 ? stated : shape.hidden / shape.query_heads;
  }
  const bool asked = switched(config, "attention_bias", false);
  shape.qkv_bias = family.qkv_bias || (asked && !family.latent_attention);
  shape.sinks = family.model_type == "gpt_oss";
  shape.output_bias = shape.sinks || (asked && !family.qkv_bias && !family.latent_attention);
}

void read_experts(const json& config, const Family& family, ModelShape& shape) {
  shape.experts = needed_size(config, {"num_local_experts", "num_experts", "n_routed_experts"});
  shape.experts_per_token = needed_size(config, {"num_experts_per_tok", "experts_per_token"});
  if (shape.experts_per_token > shape.experts) {
    throw Error("config.json: num_experts_per_tok is above the number of experts");
  }
  shape.expert_intermediate = optional_size(config, "moe_intermediate_size").value_or(shape.intermediate);
  const std::int64_t shared = optional_size(config, "n_shared_experts").value_or(0);
  shape.shared_intermediate = shared * shape.expert_intermediate;
  if (family.model_type == "qwen2_moe") {
    shape.shared_intermediate = needed_size(config, {"shared_expert_intermediate_size"});
    shape.shared_gate = true;
  }
  shape.expert_bias = family.model_type == "gpt_oss";
  shape.router_bias = family.model_type == "gpt_oss" || family.model_type == "deepseek_v3";
}

bool layer_has_experts(const json& config, const Family& family, std::int64_t index) {
  switch (family.experts) {
    case Experts::none:
      return false;
    case Experts::every_layer:
      return true;
    case Experts::after_dense: {
      const std::int64_t frequency = std::max<std::int64_t>(1, optional_size(config, "moe_layer_freq").value_or(1));
      return index >= optional_size(config, "first_k_dense_replace").value_or(0) && index % frequency == 0;
    }
    case Experts::sparse_step:
      break;
  }
  const std::int64_t step = std::max<std::int64_t>(1, optional_size(config, "decoder_sparse_step").value_or(1));
  const auto dense_only = config.find("mlp_only_layers");
  if (dense_only != config.end() && dense_only->is_array() &&
      std::find(dense_only->begin(), dense_only->end(), json(index)) != dense_only->end()) {
    return false;
  }
  return (index + 1) % step == 0;
}

bool declared_sliding(const json& layer_types, std::size_t index) {
  const std::string type = layer_types[index].is_string() ? layer_types[index].get<std::string>() : "";
  if (type == "sliding_attention") return true;
  if (type == "full_attention") return false;
  throw Error(
      fmt::format("config.json: layer_types names \"{}\"; only full_attention and sliding_attention are known", type));
}

bool layer_slides(const json& config, const Family& family, std::int64_t index) {
  const auto types = config.find("layer_types");
  if (types != config.end() && types->is_array()) return declared_sliding(*types, static_cast<std::size_t>(index));
  std::optional<std::int64_t> pattern = optional_size(config, "sliding_window_pattern");
  if (!pattern && family.sliding == Sliding::pattern) pattern = family.default_pattern;
  if (pattern && *pattern > 0) return (index + 1) % *pattern != 0;
  if (family.sliding == Sliding::upper_layers) {
    return switched(config, "use_sliding_window", false) &&
           index >= optional_size(config, "max_window_layers").value_or(0);
  }
  return family.sliding == Sliding::all_layers;
}

void read_layers(const json& config, const Family& family, ModelShape& shape) {
  const std::int64_t count = needed_size(config, {"num_hidden_layers"});
  const auto types = config.find("layer_types");
  if (types != config.end() && types->is_array() && types->size() != static_cast<std::size_t>(count)) {
    throw Error(
        fmt::format("config.json: layer_types names {} layers, num_hidden_layers says {}", types->size(), count));
  }
  const std::int64_t window = optional_size(config, "sliding_window").value_or(0);
  for (std::int64_t index = 0; index < count; ++index) {
    LayerShape layer;
    layer.experts = layer_has_experts(config, family, index);
    const bool slides = layer_slides(config, family, index);
    if (slides && window > 0) layer.window = window;
    if (slides && window == 0 && types != config.end() && types->is_array()) {
      throw Error("config.json: layer_types has sliding_attention, but the field sliding_window is missing");
    }
    shape.layers.push_back(layer);
  }
}

std::string base_format_of(const json& config) {
  for (const char* field : {"torch_dtype", "dtype"}) {
    const auto found = config.find(field);
    if (found != config.end() && found->is_string()) return found->get<std::string>();
  }
  return "bf16";
}

}  // namespace

ModelShape read_model_shape(const json& config) {
  const Family& family = family_of(config);
  ModelShape shape;
  shape.model_type = family.model_type;
  shape.hidden = needed_size(config, {"hidden_size"});
  shape.vocabulary = needed_size(config, {"vocab_size"});
  shape.intermediate = needed_size(config, {"intermediate_size"});
  shape.tied = switched(config, "tie_word_embeddings", family.tied_by_default);
  shape.query_key_norms = family.query_key_norms;
  shape.norms_per_layer = family.norms_per_layer;
  shape.mlp_bias = switched(config, "mlp_bias", false);
  read_attention(config, family, shape);
  if (family.experts != Experts::none) read_experts(config, family, shape);
  read_layers(config, family, shape);
  shape.base_format = base_format_of(config);
  return shape;
}

}  // namespace loadline
