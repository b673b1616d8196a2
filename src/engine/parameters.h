#pragma once
// What the simulated engine is made of. docs/method.md section 7 gives the defaults, "engine A".

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/units.h"

namespace loadline {

/// A step of n sequences and m tokens lasts
///   fixed_step + max(Tm, Tc) + (1 - overlap) min(Tm, Tc) + sequence_step * n,
///   Tm = weight_read + kv_read * (context tokens read), Tc = token_compute * m.
struct EngineParameters {
  Seconds fixed_step{1.7e-3};              ///< t_fix: launch gaps of every step
  Seconds weight_read{2.0e-3};             ///< w: one read of the weights
  Seconds kv_read{6e-9};                   ///< kv: one context token read by attention
  Seconds token_compute{4.4e-5};           ///< t_tok: one token computed
  double overlap = 0.93;                   ///< ov: share of the shorter of Tm and Tc that hides behind the longer
  Seconds sequence_step{7.5e-6};           ///< t_seq: bookkeeping per running sequence
  std::int64_t token_budget = 184;         ///< b: tokens a step computes at most
  std::int64_t max_sequences = 160;        ///< S: sequences that run at the same time
  std::int64_t kv_tokens = 560'000;        ///< memory for keys and values, in tokens; whole blocks are used
  std::int64_t block_size = 16;            ///< tokens a block of that memory
  std::int64_t max_model_tokens = 32'768;  ///< longest prompt and answer together; longer ones are refused
  bool prefix_cache = true;                ///< keep the blocks of ended prompts for those that begin alike

  std::int64_t kv_blocks() const { return kv_tokens / block_size; }
};

/// Throws Error naming the parameter that cannot be, and what it may be.
void validate(const EngineParameters& parameters);

/// Every parameter as key and value, in the order above, times in seconds: the report's flags and /server_info.
std::vector<std::pair<std::string, std::string>> engine_flags(const EngineParameters& parameters);

/// Sets the parameter of that key (as engine_flags names it). Throws Error for an unknown key or a value
/// that is no number; does not validate.
void set_engine_parameter(EngineParameters& parameters, std::string_view key, std::string_view value);

/// Eight hexadecimal digits that differ where any parameter differs: the end of system_fingerprint.
std::string parameters_hash(const EngineParameters& parameters);

/// Whether a request can ever be served: it fits the model's length and the KV memory.
bool can_serve(const EngineParameters& parameters, std::int64_t prompt, std::int64_t output);

}  // namespace loadline
