#pragma once
// A comparison as rows of words, for every page that shows one. Nothing here is escaped.

#include <string>
#include <vector>

#include "core/comparison.h"

namespace loadline {

/// One ratio, in words; what does not exist is the absent mark.
struct RatioRow {
  std::string load, metric, a, b, ratio, interval, verdict, how;
};
/// Headers of the columns, in the order of the members.
const std::vector<std::string>& ratio_headers();
std::vector<RatioRow> ratio_rows(const Comparison& comparison);

/// What differs, what follows the variable, what nobody could read: one line a fact, "key: 'a' / 'b'".
struct FactLines {
  std::string heading;
  std::vector<std::string> lines;
};
std::vector<FactLines> fact_lines(const Comparison& comparison);

/// How the intervals were made, and what is left to say: remarks and invalidating doubts.
std::vector<std::string> comparison_notes(const Comparison& comparison);

}  // namespace loadline
