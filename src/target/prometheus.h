#pragma once
// Values out of the Prometheus text format. Pure.

#include <optional>
#include <string_view>

namespace loadline {

/// The sum over all series of that exact name, whatever their labels; absent where there is none.
std::optional<double> prometheus_sum(std::string_view text, std::string_view name);

}  // namespace loadline
