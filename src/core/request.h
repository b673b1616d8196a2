#pragma once
// What is asked of the target: how long the prompt, what it shares with others, how long the answer.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/trace.h"
#include "core/units.h"

namespace loadline {

/// The recipe of a prompt. Its tokens are made from it and the run's salt by `write_prompt_tokens`
/// (core/prompt.h): equal block ids within one namespace give equal tokens, all else differs.
struct Prompt {
  Tokens length{};
  std::uint64_t first_block = 0;  ///< into the Plan's or Workload's `blocks`
  std::uint32_t block_count = 0;  ///< 0: the whole prompt is unique
  std::uint64_t sharing_namespace =
      0;                  ///< block ids are shared only inside one namespace (one level, one pass over the log)
  std::uint64_t own = 0;  ///< decides the tokens that no block covers; unique in the run
  /// Of a simulation that is told what a prefix cache holds: leading tokens found there, whatever was sent before. 0:
  /// the cache itself decides.
  Tokens found_in_cache{};
};

inline constexpr std::uint64_t no_row = ~std::uint64_t{0};

/// One request, fully decided before the first byte.
struct Request {
  Prompt prompt;
  Tokens completion{};  ///< forced where the engine obeys; 0: unknown, the answer's length is the model's own
  SessionIndex session = no_session;
  std::uint32_t turn = 0;
  std::optional<Nanos> arrival;    ///< after the workload's first one, as the log has it; never decreasing
  std::optional<Nanos> think;      ///< the logged pause between the end of the session's turn before and this one
  std::uint64_t row = no_row;      ///< in the trace it was drawn from: where its text is
  ClientIndex client = no_client;  ///< of the log
};

}  // namespace loadline
