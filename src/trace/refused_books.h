#pragma once
// The books of refused rows of several files, as one.

#include <cstddef>
#include <map>
#include <string>

#include "core/trace.h"

namespace loadline {

/// How many lines are named for each reason.
inline constexpr std::size_t refused_lines_kept = 10;

using RefusedByReason = std::map<std::string, Refused>;

/// Lines of `refused` that do not name their file yet are those of `file`.
void name_file(RefusedByReason& refused, const std::string& file);

/// Adds `more`, which may name its files itself, to `sum`: counts add up, the first ten lines of a reason stay.
void add_refused(RefusedByReason& sum, const RefusedByReason& more);

}  // namespace loadline
