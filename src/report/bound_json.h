#pragma once
// `loadline bound --json`. Computes nothing.

#include <string>

#include "core/bound.h"

namespace loadline {

/// One JSON object with the keys of docs/reference, ending in a line feed. Absent values are null.
std::string bound_json(const BoundTable& table);

}  // namespace loadline
