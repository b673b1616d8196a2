#pragma once
// Two manifests -> whether their runs may be compared, and by which variable. docs/method.md section 9.

#include <string>

#include "core/comparison.h"

namespace loadline {

/// One fact that differs is the variable of a comparison, none a repeat, several a refusal; so is a fact that is
/// unknown on a side, but for those that no server tells and neither side knows. `declared`: the variable by its key;
/// then facts that change with it by nature may differ too and are listed apart (an engine's version takes its build
/// and its flags along). Empty: the one that differs is found. What makes the work itself another (requests, seed,
/// loop, objective) is never a variable. Error where `declared` is a key of neither side, with the nearest that is.
ManifestDifference difference_of(const Manifest& a, const Manifest& b, const std::string& declared);

/// Adds a reason against the comparison that no fact tells; then it is refused.
void refuse(ManifestDifference& difference, std::string reason);

}  // namespace loadline
