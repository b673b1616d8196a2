#pragma once
// The worked example of docs/method.md section 7: the traffic that the simulated engine's known answers hold
// for.

#include "core/random.h"
#include "workload/builtin.h"

namespace loadline {

/// Prompt = round(lognormal, mean 725, sigma 1.22) clipped to [1, 25600], with probability 0.008 raised to at
/// least 6000; completion = round(lognormal, mean 740, sigma 0.83) clipped to [2, 4800], independent of it.
/// mu = ln mean - sigma^2 / 2. Means after clipping: 763.5 and 733.7. Takes three numbers of `random`,
/// always.
DrawnLengths draw_worked_example(Random& random);

}  // namespace loadline
