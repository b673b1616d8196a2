#pragma once
// The measured level that says most about a load: the nearest one by ratio.

#include <functional>
#include <vector>

#include "core/level_result.h"

namespace loadline {

/// Of the levels of that kind which are `usable`; null where there is none. Points into `levels`.
const LevelResult* nearest_level(const std::vector<LevelResult>& levels, LevelKind kind, double load,
                                 const std::function<bool(const LevelResult&)>& usable = {});

/// Of the levels of users which are `usable` the one that completed most nearly `requests_per_s`.
const LevelResult* nearest_carrying(const std::vector<LevelResult>& levels, double requests_per_s,
                                    const std::function<bool(const LevelResult&)>& usable = {});

}  // namespace loadline
