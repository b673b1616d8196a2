#pragma once
// What the user may have meant by a name that does not exist.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// Levenshtein's distance: letters put in, left out or replaced to make `b` of `a`.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The one of `candidates` with the least distance from `text`, the first of equals; one that begins with all of `text`
/// (three letters or more) has distance 1. "" when nothing is near: more than half of the letters of `text` differ.
std::string nearest_name(std::string_view text, const std::vector<std::string>& candidates);
/// ", did you mean NAME?" for the middle of a message; "" when nothing is near.
std::string did_you_mean(std::string_view text, const std::vector<std::string>& candidates);

}  // namespace loadline
