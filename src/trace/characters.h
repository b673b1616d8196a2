#pragma once
// Lengths of texts as people count them.

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace loadline {

/// UTF-8 characters of `text`: every byte but those that continue a character begins one.
inline std::int64_t count_characters(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (c & '\xC0') != '\x80'; });
}

}  // namespace loadline
