#include "bound/model_facts.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "bound/known_models_test.h"
#include "core/error.h"

namespace loadline {
namespace {

struct KnownModel {
  std::string_view config;
  std::int64_t total, read;
  double kv_bytes;
};

TEST(ModelFacts, PublishedTotals) {
  const KnownModel rows[] = {
      {known_models::llama_8b, 8'030'261'248, 7'504'924'672, 131'072},
      {known_models::qwen3_30b, 30'532'122'624, 3'041'867'776, 98'304},
      {known_models::mixtral_8x7b, 46'702'792'704, 0, 131'072},
      {known_models::deepseek_v3, 671'026'419'200, 36'625'618'432, 70'272},
      {known_models::gpt_oss_120b, 116'829'156'672, 5'132'849'472, 73'728},
      {known_models::smollm2_135m, 134'515'008, 134'515'008, 23'040},
      {known_models::qwen25_7b, 7'615'616'512, 0, 57'344},
      {known_models::qwen15_moe, 14'315'784'192, 0, 196'608},
      {known_models::deepseek_v2_lite, 15'706'484'224, 0, 31'104},
      {known_models::gemma3_1b, 999'885'952, 999'885'952, 26'624},
      {known_models::phi3_mini, 3'821'079'552, 0, 393'216},
      {known_models::mistral_7b, 7'248'023'552, 0, 131'072},
      {known_models::qwen3_8b, 8'190'735'360, 0, 147'456},
  };
  for (const KnownModel& row : rows) {
    const ModelFacts facts = parse_model_facts(row.config, "m", {"bf16", ""});
    SCOPED_TRACE(facts.shape.model_type);
    EXPECT_EQ(facts.parameters_total, row.total);
    if (row.read > 0) {
      EXPECT_EQ(facts.parameters_read_per_token, row.read);
    }
    EXPECT_DOUBLE_EQ(facts.kv_bytes_per_token, row.kv_bytes);
    EXPECT_DOUBLE_EQ(facts.weight_bytes_stored, 2.0 * static_cast<double>(row.total));
  }
}

std::int64_t layers_with_window(const ModelFacts& facts, std::optional<std::int64_t> window) {
  for (const AttentionLayers& layers : facts.attention) {
    if (layers.window == window) return layers.count;
  }
  return 0;
}

TEST(ModelFacts, SlidingLayers) {
  const ModelFacts gemma = parse_model_facts(known_models::gemma3_1b, "m");
  EXPECT_EQ(layers_with_window(gemma, 512), 22);
  EXPECT_EQ(layers_with_window(gemma, std::nullopt), 4);
  const ModelFacts gpt = parse_model_facts(known_models::gpt_oss_120b, "m");
  EXPECT_EQ(layers_with_window(gpt, 128), 18);
  EXPECT_EQ(layers_with_window(gpt, std::nullopt), 18);
  EXPECT_EQ(layers_with_window(parse_model_facts(known_models::phi3_mini, "m"), 2047), 32);
  EXPECT_EQ(layers_with_window(parse_model_facts(known_models::qwen25_7b, "m"), std::nullopt), 28);
}

TEST(ModelFacts, LayerTypesWinOverThePattern) {
  const std::string config = R"({"model_type": "gemma3_text", "hidden_size": 8, "num_hidden_layers": 3,
    "num_attention_heads": 2, "intermediate_size": 16, "vocab_size": 10, "sliding_window": 4,
    "layer_types": ["full_attention", "sliding_attention", "full_attention"]})";
  const ModelFacts facts = parse_model_facts(config, "m");
  EXPECT_EQ(layers_with_window(facts, 4), 1);
  EXPECT_EQ(layers_with_window(facts, std::nullopt), 2);
}

TEST(ModelFacts, Mxfp4KeepsWhatTheConfigKeeps) {
  const ModelFacts facts = parse_model_facts(known_models::gpt_oss_120b, "m");
  EXPECT_EQ(facts.weights.name, "mxfp4");
  const double expert_weights = 36.0 * 128 * 3 * 2880 * 2880;
  EXPECT_NEAR(facts.weight_bytes_stored, expert_weights * 0.53125 + (116'829'156'672.0 - expert_weights) * 2, 1);
  // Attention stays bf16: what every step reads is as in the plain model.
  EXPECT_DOUBLE_EQ(facts.dense_bytes_read,
                   parse_model_facts(known_models::gpt_oss_120b, "m", {"bf16", ""}).dense_bytes_read);
}

TEST(ModelFacts, Fp8BlocksOfAllLinears) {
  std::string config(known_models::deepseek_v3);
  config.insert(config.size() - 1, R"(, "quantization_config": {"quant_method": "fp8", "fmt": "e4m3",
    "weight_block_size": [128, 128], "activation_scheme": "dynamic"})");
  const ModelFacts facts = parse_model_facts(config, "m");
  EXPECT_EQ(facts.weights.compute, ComputeType::fp8);
  EXPECT_DOUBLE_EQ(facts.weights.bytes, 1 + 4.0 / 16384);
  const double embedding = 129280.0 * 7168, router = 58.0 * (256 * 7168 + 256);
  const double norms = 61.0 * (2 * 7168 + 1536 + 512) + 7168;
  const double plain = 2 * embedding + router + norms;
  EXPECT_NEAR(facts.weight_bytes_stored, plain * 2 + (671'026'419'200.0 - plain) * (1 + 4.0 / 16384), 16);
}

TEST(ModelFacts, Int4GroupsAndCompressedTensors) {
  std::string awq(known_models::llama_8b);
  awq.insert(awq.size() - 1, R"(, "quantization_config": {"quant_method": "awq", "bits": 4, "group_size": 128,
    "zero_point": true, "modules_to_not_convert": null})");
  EXPECT_DOUBLE_EQ(parse_model_facts(awq, "m").weights.bytes, 0.51953125);

  std::string packed(known_models::llama_8b);
  packed.insert(packed.size() - 1, R"(, "quantization_config": {"quant_method": "compressed-tensors",
    "config_groups": {"group_0": {"targets": ["Linear"], "weights": {"num_bits": 8, "type": "float",
    "strategy": "channel"}, "input_activations": {"num_bits": 8, "type": "float"}}},
    "ignore": ["lm_head", "re:model\\.layers\\.[0-9]+\\.self_attn.*"],
    "kv_cache_scheme": {"num_bits": 8, "type": "float"}})");
  const ModelFacts facts = parse_model_facts(packed, "m");
  EXPECT_EQ(facts.weights.compute, ComputeType::fp8);
  EXPECT_DOUBLE_EQ(facts.kv_bytes_per_token, 65'536);
  const double mlp = 32.0 * 3 * 4096 * 14336;  // attention is ignored, so only the MLPs are converted
  EXPECT_NEAR(facts.weight_bytes_stored, mlp + (8'030'261'248.0 - mlp) * 2, 1);
}

TEST(ModelFacts, OverridesWinAndKvIsItsOwn) {
  const ModelFacts facts = parse_model_facts(known_models::llama_8b, "m", {"fp8", "fp8"});
  const double linear = 32.0 * (2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336);
  EXPECT_NEAR(facts.weight_bytes_stored, linear + (8'030'261'248.0 - linear) * 2, 1);
  EXPECT_DOUBLE_EQ(facts.kv_bytes_per_token, 65'536);
  EXPECT_THROW(parse_model_facts(known_models::llama_8b, "m", {"fp7", ""}), Error);
}

std::string complaint(std::string_view config) {
  try {
    parse_model_facts(config, "m");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ModelFacts, SaysWhichFieldIsMissing) {
  EXPECT_NE(complaint(R"({"model_type": "llama", "hidden_size": 8, "vocab_size": 3, "num_attention_heads": 2,
    "num_hidden_layers": 1})")
                .find("intermediate_size"),
            std::string::npos);
  EXPECT_NE(complaint(R"({"model_type": "mixtral", "hidden_size": 8, "vocab_size": 3, "num_attention_heads": 2,
    "intermediate_size": 4, "num_hidden_layers": 1})")
                .find("num_local_experts"),
            std::string::npos);
  EXPECT_NE(complaint(R"({"model_type": "mamba"})").find("\"mamba\""), std::string::npos);
  EXPECT_NE(complaint(R"({"architectures": ["X"]})").find("model_type"), std::string::npos);
  EXPECT_NE(complaint("[1]").find("not a JSON object"), std::string::npos);
  std::string unknown_method(known_models::llama_8b);
  unknown_method.insert(unknown_method.size() - 1, R"(, "quantization_config": {"quant_method": "aqlm"})");
  EXPECT_NE(complaint(unknown_method).find("--weights"), std::string::npos);
  EXPECT_NO_THROW(parse_model_facts(unknown_method, "m", {"int4", ""}));
}

TEST(ModelFacts, SaysWhichFieldIsBeyondBelief) {
  const char* const of_models[][2] = {{"num_hidden_layers", "llama"},
                                      {"hidden_size", "llama"},
                                      {"vocab_size", "llama"},
                                      {"intermediate_size", "llama"},
                                      {"num_attention_heads", "llama"},
                                      {"num_key_value_heads", "llama"},
                                      {"head_dim", "llama"},
                                      {"num_local_experts", "mixtral"},
                                      {"num_experts_per_tok", "mixtral"},
                                      {"sliding_window", "mixtral"},
                                      {"kv_lora_rank", "deepseek_v3"},
                                      {"q_lora_rank", "deepseek_v3"},
                                      {"qk_nope_head_dim", "deepseek_v3"},
                                      {"qk_rope_head_dim", "deepseek_v3"},
                                      {"v_head_dim", "deepseek_v3"},
                                      {"n_shared_experts", "deepseek_v3"},
                                      {"moe_intermediate_size", "deepseek_v3"},
                                      {"first_k_dense_replace", "deepseek_v3"},
                                      {"shared_expert_intermediate_size", "qwen2_moe"},
                                      {"decoder_sparse_step", "qwen2_moe"},
                                      {"max_window_layers", "qwen2"},
                                      {"sliding_window_pattern", "gemma3_text"}};
  const auto config_of = [](std::string_view type) {
    if (type == "mixtral") return known_models::mixtral_8x7b;
    if (type == "deepseek_v3") return known_models::deepseek_v3;
    if (type == "qwen2_moe") return known_models::qwen15_moe;
    if (type == "qwen2") return known_models::qwen25_7b;
    return type == "gemma3_text" ? known_models::gemma3_1b : known_models::llama_8b;
  };
  for (const auto& [field, type] : of_models) {
    for (const char* value : {"9223372036854775807", "18446744073709551615", "2000000000", "-1", "1e30"}) {
      std::string config(config_of(type));
      config.insert(config.rfind('}'), std::string(", \"") + field + "\": " + value);  // the later one of two holds
      if (std::string_view(field) == "max_window_layers")
        config.insert(config.rfind('}'), ", \"use_sliding_window\": true");
      EXPECT_NE(complaint(config).find(std::string(field) + " "), std::string::npos)
          << field << " " << value << ": " << complaint(config);
    }
  }
}

TEST(ModelFacts, PlausibleSizesWithAnImplausibleProductAreRefused) {
  EXPECT_NE(
      complaint(
          R"({"model_type": "mixtral", "hidden_size": 9000000, "num_hidden_layers": 9000, "num_attention_heads": 64,
    "intermediate_size": 9000000, "num_local_experts": 90000, "num_experts_per_tok": 2, "vocab_size": 100000})")
          .find("no model is so large"),
      std::string::npos);
}

TEST(ModelFacts, QuantizationBeyondBeliefIsRefused) {
  for (const char* part :
       {R"("quant_method": "awq", "bits": 4, "group_size": 9223372036854775807)",
        R"("quant_method": "gptq", "bits": 18446744073709551615)", R"("quant_method": "gptq", "bits": -9)",
        R"("quant_method": "gptq", "bits": 0)", R"("quant_method": "fp8", "weight_block_size": ["a", 128])",
        R"("quant_method": "fp8", "weight_block_size": [0, 128])"}) {
    std::string config(known_models::llama_8b);
    config.insert(config.rfind('}'), std::string(", \"quantization_config\": {") + part + "}");
    EXPECT_NE(complaint(config).find("quantization_config"), std::string::npos) << part << ": " << complaint(config);
  }
}

TEST(ModelFacts, ReadsAFolderAndANestedTextPart) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "loadline_model_facts";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "config.json") << R"({"model_type": "gemma3", "torch_dtype": "bfloat16", "text_config": )"
                                        << known_models::gemma3_1b << "}";
  EXPECT_EQ(read_model_facts(folder.string()).parameters_total, 999'885'952);
  EXPECT_EQ(read_model_facts((folder / "config.json").string()).parameters_total, 999'885'952);
  std::filesystem::remove_all(folder);
  EXPECT_THROW(read_model_facts(folder.string()), Error);
}

TEST(ModelFacts, CopiesOfTheCacheUnderTensorParallelism) {
  const ModelFacts qwen = parse_model_facts(known_models::qwen3_30b, "m");
  EXPECT_DOUBLE_EQ(kv_replication(qwen, 1), 1);
  EXPECT_DOUBLE_EQ(kv_replication(qwen, 4), 1);
  EXPECT_DOUBLE_EQ(kv_replication(qwen, 8), 2);
  EXPECT_DOUBLE_EQ(kv_replication(parse_model_facts(known_models::deepseek_v3, "m"), 8), 8);
}

}  // namespace
}  // namespace loadline
