#pragma once
// Prompts as text, for servers that take no token ids: common English words, most of them one token each.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace loadline {

/// All different, lower case.
std::span<const std::string_view> common_words();

/// Appends the words of those indices with blanks between them.
void append_words(std::span<const std::uint32_t> indices, std::string& out);

}  // namespace loadline
