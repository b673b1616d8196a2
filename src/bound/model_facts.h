#pragma once
// What a model costs: parameters, bytes read by a step, operations per token, bytes of KV cache.
// From a Hugging Face config.json; formulas of docs/method.md section 5. Knows no hardware.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bound/model_shape.h"
#include "bound/weight_format.h"

namespace loadline {

/// What the user states over the model's own configuration; "" or "auto": nothing.
struct FormatOverrides {
  std::string weights;  ///< --weights
  std::string kv;       ///< --kv
};

/// Layers that see the same stretch of context.
struct AttentionLayers {
  std::int64_t count = 0;
  std::optional<std::int64_t> window;  ///< absent: all of it
};

struct ModelFacts {
  std::string name;  ///< the folder or file it was read from
  ModelShape shape;
  WeightFormat weights;  ///< of the converted modules
  WeightFormat base;     ///< of embedding, head, norms, router and what is kept
  WeightFormat kv;

  std::int64_t parameters_total = 0;
  std::int64_t parameters_read_per_token = 0;  ///< without the embedding; with k experts and the head, tied or not
  double weight_bytes_stored = 0;
  double dense_bytes_read = 0;         ///< by any step: all but embedding and experts, with the head
  double expert_bytes_read = 0;        ///< for one expert in every layer that has experts
  double layer_matmul_parameters = 0;  ///< a token passes through: layers, with k experts
  double head_matmul_parameters = 0;

  double kv_bytes_per_token_layer = 0;
  double kv_bytes_per_token = 0;  ///< written for a token, all layers
  std::vector<AttentionLayers> attention;
  double decode_flops_per_context_layer = 0;  ///< of one decode token, a token of context and a layer
  double prefill_flops_per_context_layer = 0;
};

/// The text of the config.json that `path` is, or holds. Error naming `flag` and the file.
std::string read_model_config(const std::string& path, std::string_view flag);

/// `path` is a config.json or a folder that holds one; a nested `text_config` is the model.
/// Error naming the file and the field that is missing or not understood.
ModelFacts read_model_facts(const std::string& path, const FormatOverrides& overrides = {});

/// The same from the text of a config.json.
ModelFacts parse_model_facts(std::string_view config_json, std::string name, const FormatOverrides& overrides = {});

/// Copies of the KV cache under tensor parallelism over `devices`: max(1, devices / nkv); MLA: devices.
double kv_replication(const ModelFacts& model, int devices);

}  // namespace loadline
