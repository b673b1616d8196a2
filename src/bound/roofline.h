#pragma once
// The roofline in seconds: how long memory and arithmetic need at least for a step and for a request.
// Model on devices and embedded engine become the same few terms, so every bound is one formula.
// docs/method.md section 5.

#include <cstdint>
#include <optional>
#include <vector>

#include "bound/hardware.h"
#include "bound/model_facts.h"

namespace loadline {

/// Layers that see the same stretch of context, together; per token of context they see.
struct ContextTerms {
  std::optional<std::int64_t> window;  ///< absent: all of the context
  double kv_read_s = 0;
  double decode_compute_s = 0, prefill_compute_s = 0;
};

/// What one unit of each kind of work takes on all devices together.
struct RooflineTerms {
  double dense_read_s = 0;                    ///< weights that every step reads
  double expert_read_s = 0;                   ///< one expert in every layer that has experts
  double experts = 0, experts_per_token = 0;  ///< 0: dense
  double kv_write_s = 0;                      ///< for one token, all layers, all copies
  bool compute_known = true;                  ///< false: the compute terms below mean nothing
  double layer_compute_s = 0;                 ///< matrices of the layers, one token
  double head_compute_s = 0;                  ///< one token that is answered
  std::vector<ContextTerms> context;
};

/// The embedded engine's constants (section 7), as plain numbers.
struct EngineNumbers {
  double weight_read_s = 0.002;     ///< w: one step's read of the weights
  double kv_read_s = 6e-9;          ///< kv: a token of context read; nothing for writing
  double token_compute_s = 4.4e-5;  ///< t_tok
  std::optional<double> kv_tokens = 560000;
};

RooflineTerms roofline_terms(const ModelFacts& model, const Hardware& hardware);
RooflineTerms roofline_terms(const EngineNumbers& engine);

/// D(n) = E (1 - (1 - k/E)^n): experts of a layer that n tokens touch under even routing; n may be a
/// fraction.
double distinct_experts(double experts, double experts_per_token, double tokens);

/// W(n) / BW.
double weight_read_s(const RooflineTerms& terms, double tokens);
/// KVread(x) / BW of one generated token at context x.
double kv_read_s(const RooflineTerms& terms, double context);
/// BW / W(1).
double batch_1_tokens_per_s(const RooflineTerms& terms);

/// One decode step of B tokens at context x.
struct StepTime {
  double memory_s = 0;
  std::optional<double> compute_s;
  double bound_s() const;  ///< the longer of both
};
StepTime decode_step(const RooflineTerms& terms, double batch, double context);

/// The work of one request: `fresh` prompt tokens not in the cache, `cached` ones, `out` >= 1 generated.
struct WorkShape {
  double fresh = 0, cached = 0, out = 1;
};
/// M / BW and C / F of one request at B requests in decode.
struct RequestTime {
  double memory_s = 0;
  std::optional<double> compute_s;
  double ceiling_requests_per_s() const;                ///< 1 / max: perfect overlap
  std::optional<double> serial_requests_per_s() const;  ///< 1 / sum: no overlap
};
RequestTime request_time(const RooflineTerms& terms, const WorkShape& shape, double batch);

}  // namespace loadline
