#pragma once
// Numbers as a reader of a page or a figure sees them: three or four significant digits, thousands
// separated by commas, no exponent, no unit (units stand in headers and axis titles). What does not exist
// is an en dash, never 0.

#include <cstdint>
#include <optional>
#include <string>

#include "core/estimate.h"

namespace loadline {

/// The mark of an absent number.
inline constexpr const char* absent_mark = "–";

/// 7250.3 -> "7,250", 64.25 -> "64.2", 9.876 -> "9.88", 0.01234 -> "0.0123"; what is not finite: "infinite".
std::string figure_number(double value);
/// As figure_number; absent: the mark.
std::string figure_number(const std::optional<double>& value);
/// 12345 -> "12,345".
std::string figure_count(std::uint64_t value);
std::string figure_count(std::int64_t value);
/// A load or a limit as it was asked for: 64 -> "64", 7.5 -> "7.5", 1000 -> "1,000".
std::string figure_setting(double value);
/// 0.6512 -> "65.1%", 0.0004 -> "0.04%"; from twice on as a multiple: 14.5 -> "14.5 ×".
std::string figure_percent(double share);
std::string figure_percent(const std::optional<double>& share);
/// "[974, 998]"; where only one end exists "≥ 974" or "≤ 998"; where none does, the mark.
std::string figure_interval(const std::optional<double>& low, const std::optional<double>& high);

}  // namespace loadline
