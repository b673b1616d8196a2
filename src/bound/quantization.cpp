#include "bound/quantization.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "core/error.h"

namespace loadline {
namespace {

using nlohmann::json;

constexpr std::uint64_t largest_number = 1'000'000;  // of bits and weights in a group

int integer_or(const json& object, const char* key, int otherwise) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return otherwise;
  const std::int64_t value =
      found->is_number_unsigned() && found->get<std::uint64_t>() > largest_number ? -2 : found->get<std::int64_t>();
  if (value < -1)
    throw Error(fmt::format("config.json: {} in quantization_config must lie between -1 and {}", key, largest_number));
  return static_cast<int>(value);
}
std::string text_or(const json& object, const char* key, std::string otherwise) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : otherwise;
}
bool flag_or(const json& object, const char* key, bool otherwise) {
  const auto found = object.find(key);
  return found != object.end() && found->is_boolean() ? found->get<bool>() : otherwise;
}
const json* object_at(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? &*found : nullptr;
}

WeightFormat fp8_weights(const json& config) {
  const auto block = config.find("weight_block_size");
  if (block == config.end() || !block->is_array() || block->size() != 2) return weight_format_named("fp8", "");
  const bool numbers = (*block)[0].is_number() && (*block)[1].is_number();
  const double block_weights = numbers ? (*block)[0].get<double>() * (*block)[1].get<double>() : 0;
  if (!(block_weights > 0))
    throw Error("config.json: quantization_config.weight_block_size must be two numbers above 0");
  return {"fp8-block", 1 + 4 / block_weights, ComputeType::fp8};
}

WeightFormat bitsandbytes_weights(const json& config) {
  if (flag_or(config, "load_in_8bit", false)) return {"int8", 1, ComputeType::int8};
  // Blocks of 64 with a 32-bit scale; double quantization stores most of that scale in 8 bits.
  const bool twice = flag_or(config, "bnb_4bit_use_double_quant", false);
  return {"bnb-4bit", 0.5 + (twice ? 1.0 + 4.0 / 256 : 4.0) / 64, ComputeType::bf16};
}

WeightFormat modelopt_weights(const json& config) {
  const std::string algorithm = text_or(config, "quant_algo", "");
  if (algorithm.find("NVFP4") != std::string::npos) return weight_format_named("nvfp4", "");
  if (algorithm.find("MXFP8") != std::string::npos) return weight_format_named("mxfp8", "");
  if (algorithm.find("FP8") != std::string::npos) return weight_format_named("fp8", "");
  if (algorithm.find("W4A16") != std::string::npos) return weight_format_named("int4", "");
  throw Error(
      fmt::format("config.json: quantization_config.quant_algo \"{}\" is not known; say how wide the "
                  "weights are with --weights",
                  algorithm));
}

ComputeType activation_compute(const json& group) {
  const json* activations = object_at(group, "input_activations");
  if (activations == nullptr) return ComputeType::bf16;
  const bool is_float = text_or(*activations, "type", "int") == "float";
  switch (integer_or(*activations, "num_bits", 16)) {
    case 4:
      return is_float ? ComputeType::fp4 : ComputeType::int8;
    case 8:
      return is_float ? ComputeType::fp8 : ComputeType::int8;
    default:
      return ComputeType::bf16;
  }
}

WeightFormat compressed_tensors_weights(const json& config) {
  const json* groups = object_at(config, "config_groups");
  if (groups == nullptr || groups->empty()) {
    throw Error(
        "config.json: quantization_config.config_groups is missing; say how wide the weights are with "
        "--weights");
  }
  const json& group = *groups->begin();
  const json* weights = object_at(group, "weights");
  if (weights == nullptr) {
    throw Error("config.json: quantization_config.config_groups has no weights; state them with --weights");
  }
  const int bits = integer_or(*weights, "num_bits", 8);
  const int group_size = integer_or(*weights, "group_size", 0);
  if (text_or(*weights, "type", "int") == "float") {
    if (bits == 4) return weight_format_named(group_size == 32 ? "mxfp4" : "nvfp4", "");
    WeightFormat format = weight_format_named("fp8", "");
    format.compute = activation_compute(group);
    return format;
  }
  WeightFormat format = grouped_integer(bits, group_size, !flag_or(*weights, "symmetric", true));
  format.compute = activation_compute(group);
  return format;
}

WeightFormat converted_weights(const std::string& method, const json& config) {
  if (method == "fp8" || method == "fbgemm_fp8") return fp8_weights(config);
  if (method == "awq" || method == "gptq" || method == "gptq_marlin" || method == "auto-round") {
    return grouped_integer(integer_or(config, "bits", 4), integer_or(config, "group_size", 128), true);
  }
  if (method == "mxfp4") return weight_format_named("mxfp4", "");
  if (method == "nvfp4") return weight_format_named("nvfp4", "");
  if (method == "bitsandbytes") return bitsandbytes_weights(config);
  if (method == "modelopt" || method == "modelopt_fp4") return modelopt_weights(config);
  if (method == "compressed-tensors") return compressed_tensors_weights(config);
  throw Error(
      fmt::format("config.json: quantization_config.quant_method \"{}\" is not known; say how wide the "
                  "weights are with --weights",
                  method));
}

std::optional<WeightFormat> converted_cache(const json& config) {
  if (const json* scheme = object_at(config, "kv_cache_scheme")) {
    if (integer_or(*scheme, "num_bits", 16) == 8) {
      return weight_format_named(text_or(*scheme, "type", "float") == "float" ? "fp8" : "int8", "");
    }
  }
  const std::string algorithm = text_or(config, "kv_cache_quant_algo", "");
  if (algorithm == "FP8") return weight_format_named("fp8", "");
  if (algorithm == "NVFP4") return weight_format_named("nvfp4", "");
  return std::nullopt;
}

/// '*' stands for any run of characters; the pattern may end before a component that follows.
bool glob_matches(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty() || text.front() == '.';
  if (pattern.front() == '*') {
    for (std::size_t skip = 0; skip <= text.size(); ++skip) {
      if (glob_matches(pattern.substr(1), text.substr(skip))) return true;
    }
    return false;
  }
  return !text.empty() && text.front() == pattern.front() && glob_matches(pattern.substr(1), text.substr(1));
}

bool has_components(std::string_view module, std::string_view run) {
  const std::string padded_module = fmt::format(".{}.", module), padded_run = fmt::format(".{}.", run);
  return padded_module.find(padded_run) != std::string::npos;
}

bool pattern_keeps(const std::string& pattern, std::string_view module) {
  if (pattern.starts_with("re:")) {
    try {
      return std::regex_search(std::string(module), std::regex(pattern.substr(3)),
                               std::regex_constants::match_continuous);
    } catch (const std::regex_error&) {
      throw Error(
          fmt::format("config.json: quantization_config keeps modules by \"{}\", which is not a regular "
                      "expression this program reads",
                      pattern));
    }
  }
  if (pattern.find('*') != std::string::npos) return glob_matches(pattern, module);
  return has_components(module, pattern);
}

}  // namespace

Quantization read_quantization(const json& config, bool weights_overridden) {
  Quantization quantization;
  quantization.method = text_or(config, "quant_method", "");
  if (quantization.method.empty() && config.contains("quant_algo")) quantization.method = "modelopt";
  if (quantization.method.empty() && !weights_overridden) {
    throw Error(
        "config.json: quantization_config.quant_method is missing; say how wide the weights are with "
        "--weights");
  }
  if (!weights_overridden) quantization.weights = converted_weights(quantization.method, config);
  quantization.kv = converted_cache(config);
  quantization.head_converted = flag_or(config, "lm_head", false);
  for (const char* key : {"modules_to_not_convert", "ignore", "ignored_layers", "exclude_modules"}) {
    const auto list = config.find(key);
    if (list == config.end() || !list->is_array()) continue;
    for (const json& pattern : *list) {
      if (pattern.is_string()) quantization.kept.push_back(pattern.get<std::string>());
    }
  }
  return quantization;
}

bool is_kept(const Quantization& quantization, std::string_view module) {
  for (const std::string& pattern : quantization.kept) {
    if (pattern_keeps(pattern, module)) return true;
  }
  return false;
}

}  // namespace loadline
