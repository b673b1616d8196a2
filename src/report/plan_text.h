#pragma once
// `loadline plan` for a terminal. Computes nothing.

#include <cstddef>
#include <string>

#include "report/plan_page.h"

namespace loadline {

/// A page: of each level its load, its number of requests, the quantiles of both lengths, the sharing, and
/// its first `shown` requests with their due times after the level's start.
std::string plan_text(const PlanPage& page, std::size_t shown = 10);

}  // namespace loadline
