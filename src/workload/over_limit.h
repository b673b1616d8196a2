#pragma once
// Which of the chosen rows are left out because the target could not take their prompts.

#include <cstdint>
#include <optional>
#include <unordered_set>

#include "core/trace.h"
#include "core/workload.h"
#include "workload/length_rule.h"
#include "workload/row_order.h"

namespace loadline {

/// Leaves out rows whose prompts are over the limit, and later turns of a session that has lost one in this pass: they
/// would go on from a prompt that was never sent.
class OverLimit {
 public:
  /// Throws Error when no row of `trace` is within the limit.
  OverLimit(const Trace& trace, const LengthRule& rule, Sampler sampler);

  /// True when the next row of the order is kept. Throws Error when two whole passes were left out.
  bool keeps(const ChosenRow& chosen);

 private:
  [[noreturn]] void refuse_all() const;
  bool is_lost(const ChosenRow& chosen);

  const Trace& trace_;
  const LengthRule& rule_;
  bool whole_sessions_;
  std::unordered_set<std::uint64_t> lost_;  ///< sessions of the pass
  std::uint32_t pass_ = 0;
  std::uint64_t left_out_in_a_row_ = 0;
};

}  // namespace loadline
