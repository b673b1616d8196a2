#pragma once
// From a chosen row of the log to the request that is sent.

#include <cstdint>
#include <vector>

#include "core/trace.h"
#include "core/workload.h"
#include "workload/draw.h"
#include "workload/length_rule.h"
#include "workload/row_order.h"
#include "workload/session_blocks.h"
#include "workload/shared_blocks.h"

namespace loadline {

/// Makes requests, and the blocks that they point into. Rows come in the order in which they are sent.
class RequestRecipe {
 public:
  /// `sampler`: of logs. With `rows` a request belongs to no session and has no pause.
  RequestRecipe(const Trace& trace, const DrawSettings& settings, Sampler sampler);

  /// The request of a chosen row, its lengths by `rule`; all but its arrival.
  Request make(const ChosenRow& chosen, LengthRule& rule, std::uint64_t own);
  /// Where what pass `pass` shares lies.
  std::uint64_t sharing_namespace(std::uint32_t pass) const;
  /// Moves the blocks of all requests made into `workload`.
  void give_blocks(Workload& workload);

 private:
  void take_session(Request& request, const ChosenRow& chosen) const;
  BlockSpan blocks_of(const ChosenRow& chosen, Tokens length);

  const Trace& trace_;
  std::uint32_t ordinal_;
  Sampler sampler_;
  bool by_session_;  ///< no block ids, but sessions
  SharedBlocks shared_blocks_;
  SessionBlocks session_blocks_;
};

}  // namespace loadline
