#pragma once
// A comparison for the terminal and as Markdown (GitHub's).

#include <optional>
#include <string>

#include "core/comparison.h"

namespace loadline {

/// 120 columns. With a gate its sentence stands first.
std::string comparison_terminal(const Comparison& comparison, const std::optional<Gate>& gate);
std::string comparison_markdown(const Comparison& comparison, const std::optional<Gate>& gate);

}  // namespace loadline
