#include "bound/layer_modules.h"

#include <fmt/format.h>

namespace loadline {
namespace {

double product(std::int64_t a, std::int64_t b) { return static_cast<double>(a) * static_cast<double>(b); }

using Modules = std::vector<LayerModule>;

void add_attention(const ModelShape& s, const std::string& at, Modules& out) {
  const std::int64_t query_width = s.query_heads * s.head_dim, kv_width = s.kv_heads * s.head_dim;
  out.push_back({at + ".q_proj", product(s.hidden, query_width)});
  out.push_back({at + ".k_proj", product(s.hidden, kv_width)});
  out.push_back({at + ".v_proj", product(s.hidden, kv_width)});
  out.push_back({at + ".o_proj", product(query_width, s.hidden)});
  double small = 0;
  if (s.qkv_bias) small += static_cast<double>(query_width + 2 * kv_width);
  if (s.output_bias) small += static_cast<double>(s.hidden);
  if (s.sinks) small += static_cast<double>(s.query_heads);
  if (s.query_key_norms) small += 2.0 * static_cast<double>(s.head_dim);
  out.push_back({at + ".norms_and_biases", small, ModuleKind::small});
}

void add_latent_attention(const ModelShape& s, const std::string& at, Modules& out) {
  const std::int64_t query_width = s.query_heads * (s.nope_dim + s.rope_dim);
  if (s.query_rank > 0) {
    out.push_back({at + ".q_a_proj", product(s.hidden, s.query_rank)});
    out.push_back({at + ".q_b_proj", product(s.query_rank, query_width)});
  } else {
    out.push_back({at + ".q_proj", product(s.hidden, query_width)});
  }
  out.push_back({at + ".kv_a_proj_with_mqa", product(s.hidden, s.latent_rank + s.rope_dim)});
  out.push_back({at + ".kv_b_proj", product(s.latent_rank, s.query_heads * (s.nope_dim + s.value_dim))});
  out.push_back({at + ".o_proj", product(s.query_heads * s.value_dim, s.hidden)});
  out.push_back({at + ".norms", static_cast<double>(s.query_rank + s.latent_rank), ModuleKind::small});
}

void add_mlp(const ModelShape& s, const std::string& at, Modules& out) {
  for (const char* matrix : {".gate_proj", ".up_proj", ".down_proj"}) {
    out.push_back({at + matrix, product(s.hidden, s.intermediate)});
  }
  if (s.mlp_bias)
    out.push_back({at + ".biases", static_cast<double>(2 * s.intermediate + s.hidden), ModuleKind::small});
}

void add_experts(const ModelShape& s, const std::string& at, Modules& out) {
  const double matrix_size = product(s.hidden, s.expert_intermediate);
  for (const char* matrix : {".experts.0.gate_proj", ".experts.0.up_proj", ".experts.0.down_proj"}) {
    out.push_back({at + matrix, matrix_size, ModuleKind::expert});
  }
  if (s.expert_bias) {
    out.push_back(
        {at + ".expert_biases", static_cast<double>(2 * s.expert_intermediate + s.hidden), ModuleKind::expert_bias});
  }
  if (s.shared_intermediate > 0) {
    for (const char* matrix : {".shared_experts.gate_proj", ".shared_experts.up_proj", ".shared_experts.down_proj"}) {
      out.push_back({at + matrix, product(s.hidden, s.shared_intermediate)});
    }
  }
  if (s.shared_gate) out.push_back({at + ".shared_expert_gate", static_cast<double>(s.hidden), ModuleKind::router});
  out.push_back({at + ".gate", product(s.experts, s.hidden), ModuleKind::router});
  if (s.router_bias) out.push_back({at + ".router_bias", static_cast<double>(s.experts), ModuleKind::small});
}

}  // namespace

std::vector<LayerModule> modules_of_layer(const ModelShape& shape, std::size_t index) {
  const std::string at = fmt::format("model.layers.{}", index);
  Modules modules;
  if (shape.latent_rank > 0) {
    add_latent_attention(shape, at + ".self_attn", modules);
  } else {
    add_attention(shape, at + ".self_attn", modules);
  }
  if (shape.layers[index].experts) {
    add_experts(shape, at + (shape.model_type == "mixtral" ? ".block_sparse_moe" : ".mlp"), modules);
  } else {
    add_mlp(shape, at + ".mlp", modules);
  }
  modules.push_back({at + ".layernorms", product(shape.norms_per_layer, shape.hidden), ModuleKind::small});
  return modules;
}

}  // namespace loadline
