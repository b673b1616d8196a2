#pragma once
// Two live targets: the same ordered requests at the same loads, level by level in turn.

#include <atomic>
#include <string>

#include "app/compare_spec.h"

namespace loadline {

/// Measures both targets into `folder`/a and `folder`/b, each a run like any other: every load of `spec.run` once in
/// each of `spec.pairs` passes, on A first in even passes and on B first in odd ones (A B B A), so that drift cancels.
/// What cannot be compared is refused before the first level (exit 4) unless forced. False where it was interrupted.
bool compare_live(const CompareSpec& spec, const ComparedSide& a, const ComparedSide& b, const std::string& folder,
                  const std::string& command_line);

}  // namespace loadline
