#pragma once
// What a model's `quantization_config` says: the format of the converted weights, which modules keep the
// base format, and the format of the KV cache. Knows nothing of sizes.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bound/weight_format.h"

namespace loadline {

struct Quantization {
  std::string method;                   ///< "fp8", "awq", "gptq", "mxfp4", ...; "" when not quantized
  std::optional<WeightFormat> weights;  ///< absent: nothing is converted, or the method is not known
  std::optional<WeightFormat> kv;       ///< absent: the cache keeps the base format
  bool head_converted = false;
  std::vector<std::string> kept;  ///< patterns of modules that are not converted
};

/// Reads the object `quantization_config`. Error naming the method when it is not known and
/// `weights_overridden` is false: then nobody has said how wide a weight is.
Quantization read_quantization(const nlohmann::json& config, bool weights_overridden);

/// Whether `module` ("model.layers.3.self_attn.q_proj") matches one of the patterns: "re:" and a regular
/// expression from the start, a pattern with '*', or a run of whole components anywhere in the name.
bool is_kept(const Quantization& quantization, std::string_view module);

}  // namespace loadline
