#pragma once
// Text of options and plan files -> values. Every error is one sentence that names the place (`where`:
// "--slo" or "plan.yaml line 3, key slo"), the text, and what would be right.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/level.h"
#include "core/nearest_name.h"
#include "core/units.h"

namespace loadline {

double parse_number(std::string_view text, std::string_view where);
std::uint64_t parse_whole_number(std::string_view text, std::string_view where);
/// "15m", "600s", "250ms", "2h"; a bare number is seconds.
Nanos parse_duration(std::string_view text, std::string_view where);
/// "1,2,4": positive, at least one, no duplicates; whole when `whole`.
std::vector<double> parse_levels(std::string_view text, std::string_view where, bool whole);
/// "p99 ttft<=1000ms", "p99 ttft<=500ms where prompt<=2000"; ttft, tpot, itl, e2e; s, ms or us.
Objective parse_objective(std::string_view text, std::string_view where);
/// "ttft:1000", "tpot:50", "e2e:20000" (ms), any number of them, also in one text separated by blanks or commas.
GoodputLimits parse_goodput(const std::vector<std::string>& texts, std::string_view where);

/// "5%" or "0.05": a share above 0, at most 1.
double parse_share(std::string_view text, std::string_view where);

}  // namespace loadline
