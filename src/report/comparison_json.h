#pragma once
// comparison.json: docs/schema/comparison.schema.json describes every key.

#include <optional>
#include <string>

#include "core/comparison.h"

namespace loadline {

/// With a line's end. `gate`: of `loadline gate`, else null in the object.
std::string comparison_json(const Comparison& comparison, const std::optional<Gate>& gate);

}  // namespace loadline
