#pragma once
// For the tests of this room: the sizes of published models, as their configurations state them.

#include <string_view>

namespace loadline::known_models {

inline constexpr std::string_view llama_8b =
    R"({"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32,
  "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256,
  "tie_word_embeddings": false, "torch_dtype": "bfloat16"})";
inline constexpr std::string_view qwen3_30b = R"({"model_type": "qwen3_moe", "hidden_size": 2048,
  "num_hidden_layers": 48, "num_attention_heads": 32, "num_key_value_heads": 4, "head_dim": 128,
  "intermediate_size": 6144, "moe_intermediate_size": 768, "num_experts": 128, "num_experts_per_tok": 8,
  "decoder_sparse_step": 1, "mlp_only_layers": [], "vocab_size": 151936, "sliding_window": null,
  "use_sliding_window": false, "max_window_layers": 48, "torch_dtype": "bfloat16"})";
inline constexpr std::string_view mixtral_8x7b = R"({"model_type": "mixtral", "hidden_size": 4096,
  "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336,
  "num_local_experts": 8, "num_experts_per_tok": 2, "vocab_size": 32000, "sliding_window": null,
  "torch_dtype": "bfloat16"})";
inline constexpr std::string_view deepseek_v3 = R"({"model_type": "deepseek_v3", "hidden_size": 7168,
  "num_hidden_layers": 61, "num_attention_heads": 128, "num_key_value_heads": 128, "q_lora_rank": 1536,
  "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
  "intermediate_size": 18432, "moe_intermediate_size": 2048, "n_routed_experts": 256, "n_shared_experts": 1,
  "num_experts_per_tok": 8, "first_k_dense_replace": 3, "moe_layer_freq": 1, "vocab_size": 129280,
  "num_nextn_predict_layers": 1, "torch_dtype": "bfloat16"})";
inline constexpr std::string_view gpt_oss_120b = R"({"model_type": "gpt_oss", "hidden_size": 2880,
  "num_hidden_layers": 36, "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 64,
  "intermediate_size": 2880, "num_local_experts": 128, "num_experts_per_tok": 4, "experts_per_token": 4,
  "sliding_window": 128, "attention_bias": true, "vocab_size": 201088, "tie_word_embeddings": false,
  "quantization_config": {"quant_method": "mxfp4", "modules_to_not_convert": ["model.layers.*.self_attn",
  "model.layers.*.mlp.router", "model.embed_tokens", "lm_head"]}})";
inline constexpr std::string_view smollm2_135m = R"({"model_type": "llama", "hidden_size": 576,
  "num_hidden_layers": 30, "num_attention_heads": 9, "num_key_value_heads": 3, "intermediate_size": 1536,
  "vocab_size": 49152, "tie_word_embeddings": true, "torch_dtype": "bfloat16"})";
inline constexpr std::string_view qwen25_7b = R"({"model_type": "qwen2", "hidden_size": 3584,
  "num_hidden_layers": 28, "num_attention_heads": 28, "num_key_value_heads": 4, "intermediate_size": 18944,
  "vocab_size": 152064, "sliding_window": 131072, "use_sliding_window": false, "max_window_layers": 28,
  "torch_dtype": "bfloat16"})";
inline constexpr std::string_view qwen15_moe = R"({"model_type": "qwen2_moe", "hidden_size": 2048,
  "num_hidden_layers": 24, "num_attention_heads": 16, "num_key_value_heads": 16, "intermediate_size": 5632,
  "moe_intermediate_size": 1408, "shared_expert_intermediate_size": 5632, "num_experts": 60,
  "num_experts_per_tok": 4, "decoder_sparse_step": 1, "vocab_size": 151936, "torch_dtype": "bfloat16"})";
inline constexpr std::string_view deepseek_v2_lite = R"({"model_type": "deepseek_v2", "hidden_size": 2048,
  "num_hidden_layers": 27, "num_attention_heads": 16, "num_key_value_heads": 16, "q_lora_rank": null,
  "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
  "intermediate_size": 10944, "moe_intermediate_size": 1408, "n_routed_experts": 64, "n_shared_experts": 2,
  "num_experts_per_tok": 6, "first_k_dense_replace": 1, "vocab_size": 102400, "torch_dtype": "bfloat16"})";
inline constexpr std::string_view gemma3_1b = R"({"model_type": "gemma3_text", "hidden_size": 1152,
  "num_hidden_layers": 26, "num_attention_heads": 4, "num_key_value_heads": 1, "head_dim": 256,
  "intermediate_size": 6912, "vocab_size": 262144, "sliding_window": 512, "sliding_window_pattern": 6,
  "torch_dtype": "bfloat16"})";
inline constexpr std::string_view phi3_mini = R"({"model_type": "phi3", "hidden_size": 3072,
  "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 32, "intermediate_size": 8192,
  "vocab_size": 32064, "sliding_window": 2047, "torch_dtype": "bfloat16"})";
inline constexpr std::string_view mistral_7b = R"({"model_type": "mistral", "hidden_size": 4096,
  "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336,
  "vocab_size": 32768, "sliding_window": null, "torch_dtype": "bfloat16"})";
inline constexpr std::string_view qwen3_8b = R"({"model_type": "qwen3", "hidden_size": 4096,
  "num_hidden_layers": 36, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128,
  "intermediate_size": 12288, "vocab_size": 151936, "tie_word_embeddings": false, "torch_dtype": "bfloat16"})";

}  // namespace loadline::known_models
