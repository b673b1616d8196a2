#pragma once
// Prompts as text, for servers that take no token ids: common English words, most of them one token each.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace loadline {

/// All different, lower case.
std::span<const std::string_view> common_words();

/// Begins every text of an exact length (Target::exact_text): what a first word counts, without a blank before it, is
/// then the same for all.
inline constexpr std::uint32_t opening_word = 0;

/// Appends the words of those indices with blanks between them.
void append_words(std::span<const std::uint32_t> indices, std::string& out);

}  // namespace loadline
