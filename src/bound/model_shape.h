#pragma once
// A model's sizes as its config.json states them (the text part), before any arithmetic.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace loadline {

/// What one layer is made of.
struct LayerShape {
  bool experts = false;                ///< mixture of experts instead of one MLP
  std::optional<std::int64_t> window;  ///< sliding attention sees at most this many tokens
};

/// Letters of docs/method.md section 5 stand behind the names.
struct ModelShape {
  std::string model_type;                                    ///< "llama", "qwen3_moe", ...
  std::int64_t hidden = 0;                                   ///< h
  std::int64_t vocabulary = 0;                               ///< V
  bool tied = false;                                         ///< head and embedding are one matrix
  std::int64_t query_heads = 0, kv_heads = 0, head_dim = 0;  ///< nq, nkv, d
  std::int64_t intermediate = 0;                             ///< I

  // Multi-head latent attention; latent_rank > 0 says that the model has it.
  std::int64_t latent_rank = 0, query_rank = 0;  ///< r, qr (0: queries are not compressed)
  std::int64_t nope_dim = 0, rope_dim = 0, value_dim = 0;

  // Mixture of experts; experts > 0 says that some layers have it.
  std::int64_t experts = 0, experts_per_token = 0, expert_intermediate = 0;  ///< E, k, Im
  std::int64_t shared_intermediate = 0;                                      ///< of all shared experts together
  bool shared_gate = false;

  // Small parts that differ between families.
  bool query_key_norms = false;
  std::int64_t norms_per_layer = 2;
  bool qkv_bias = false, output_bias = false, mlp_bias = false, expert_bias = false, router_bias = false;
  bool sinks = false;

  std::vector<LayerShape> layers;
  std::string base_format = "bf16";  ///< torch_dtype
};

/// The shape in `config`, the text part's object. Error naming the field when one is missing or makes no
/// sense, and naming the known architectures when model_type is not one of them.
ModelShape read_model_shape(const nlohmann::json& config);

}  // namespace loadline
