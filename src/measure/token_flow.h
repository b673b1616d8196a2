#pragma once
// Output tokens by the moment of their arrival. docs/method.md section 2, aggregate.

#include <cstdint>

#include "core/record.h"
#include "measure/measured_set.h"

namespace loadline {

/// Tokens received inside the window, of requests that succeeded and of those that failed later.
struct TokenFlow {
  double succeeded = 0;
  double failed = 0;            ///< by chunks where the server told no count
  std::uint64_t answers = 0;    ///< succeeded requests with output inside the window
  std::uint64_t uncounted = 0;  ///< of these, without a token count: not in the sum
};
TokenFlow token_flow(const LevelRecords& records, const Window& window);

/// Tokens of one request that arrived inside the window, of `tokens` in all: known for the first chunk or 1, the rest
/// spread evenly over the others; one chunk carries all.
double tokens_inside(const LevelRecords& records, const RequestRecord& record, double tokens, const Window& window);

}  // namespace loadline
