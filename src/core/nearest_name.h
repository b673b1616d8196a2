#pragma once
// What the user may have meant by a name that does not exist.

#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// The one of `candidates` that differs least from `text` (Levenshtein's distance: letters put in, left out, replaced),
/// the first of equals. "" when nothing is near: more than half of the letters of `text` differ.
std::string nearest_name(std::string_view text, const std::vector<std::string>& candidates);

}  // namespace loadline
