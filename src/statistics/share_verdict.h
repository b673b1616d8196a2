#pragma once
// Is the share of requests above the limit over or under what is allowed? docs/method.md section 3, verdict.

#include <cstdint>

#include "core/level_result.h"

namespace loadline {

/// The share's 95% interval and what it says.
struct ShareVerdict {
  double low = 0, high = 1;
  Verdict verdict = Verdict::open;
};
/// `above` of `n` exceed the limit, with dependence `tau` (>= 1); `allowed` is 1 - percentile.
/// n = 0 says nothing: [0, 1], open.
ShareVerdict share_verdict(std::uint64_t above, std::uint64_t n, double tau, double allowed);

}  // namespace loadline
