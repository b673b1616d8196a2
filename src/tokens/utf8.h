#pragma once
// Characters of a text in UTF-8.

#include <cstddef>
#include <string>
#include <string_view>

namespace loadline {

/// `text` as it is where it is valid; else with U+FFFD for each longest broken beginning of a character (Unicode 15,
/// section 3.9), as every common decoder does.
std::string valid_utf8(std::string text);

/// Bytes of the character that begins with `lead`. Of valid text.
std::size_t character_size(char lead);
void append_character(std::string& text, char32_t character);

/// Bytes of the white space (the Unicode property) at the beginning and at the end of a valid text.
std::size_t leading_white_space(std::string_view text);
std::size_t trailing_white_space(std::string_view text);

}  // namespace loadline
