#pragma once
// The worked example of docs/method.md section 7: the traffic that the simulated engine's known answers hold
// for.

#include "core/random.h"
#include "workload/builtin.h"

namespace loadline {

/// Two independent lognormals, rounded:
///
///              mean   sigma   range          then
///   prompt     725    1.22    1 to 25,600    8 in 1,000 are made 6,000 where shorter
///   completion 740    0.83    2 to 4,800
///
/// The means are those before the range is applied (mu = ln(mean) - sigma^2 / 2); after all they are 763.5 and 733.7.
/// Takes three numbers of `random`, always.
DrawnLengths draw_worked_example(Random& random);

}  // namespace loadline
