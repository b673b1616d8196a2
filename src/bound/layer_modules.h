#pragma once
// The matrices of one layer by the names that checkpoints give them, with their sizes.

#include <string>
#include <vector>

#include "bound/model_shape.h"

namespace loadline {

enum class ModuleKind {
  linear,       ///< read by every step, multiplied with every token
  expert,       ///< `parameters` are of one expert
  router,       ///< multiplied, kept in the base format
  small,        ///< norms, biases, sinks: read, not multiplied
  expert_bias,  ///< as small, of one expert
};

struct LayerModule {
  std::string name;  ///< "model.layers.3.self_attn.q_proj"
  double parameters = 0;
  ModuleKind kind = ModuleKind::linear;
};

/// The modules of layer `index`, in the table of docs/method.md section 5.
std::vector<LayerModule> modules_of_layer(const ModelShape& shape, std::size_t index);

}  // namespace loadline
