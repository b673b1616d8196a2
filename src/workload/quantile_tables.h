#pragma once
// Published length distributions as joint quantile tables, and how a request is drawn from one.
//
// A table cuts the requests of a trace into bins by prompt length. A draw picks a bin by its share, then a
// prompt and a completion from the bin's own quantile functions: so long prompts keep the completions that
// long prompts have. Between known quantiles the logarithm of the length is linear in the probability.

#include <array>
#include <span>

#include "core/random.h"
#include "workload/builtin.h"

namespace loadline {

/// The probabilities at which the quantiles of a table are known (0: minimum, 1: maximum).
inline constexpr std::array<double, 12> table_probabilities = {0,    0.01, 0.05, 0.10, 0.25,  0.50,
                                                               0.75, 0.90, 0.95, 0.99, 0.999, 1};
/// Lengths in tokens at table_probabilities, non-decreasing.
using LengthQuantiles = std::array<std::int32_t, table_probabilities.size()>;

struct QuantileBin {
  std::uint32_t rows = 0;  ///< requests of the trace in this bin
  LengthQuantiles prompt{}, completion{};
};

/// Bins in order of prompt length.
using QuantileTable = std::span<const QuantileBin>;

QuantileTable azure_chat_2023();
QuantileTable azure_code_2023();
QuantileTable mooncake_conversation_2025();
QuantileTable weka_agentic_coding_2026();
/// One bin: the joint law is not published.
QuantileTable servegen_reason_r1_2025();

/// The length at probability `u` in (0, 1), rounded, at least 1.
Tokens length_at(const LengthQuantiles& quantiles, double u);
/// One request. Takes two numbers of `random`, always.
DrawnLengths draw_jointly(QuantileTable table, Random& random);

}  // namespace loadline
