#pragma once
// Sentences set in lines for a terminal.

#include <cstddef>
#include <string>
#include <string_view>

namespace loadline {

/// Columns that a text takes: code points, since nothing wide is in our own words.
std::size_t text_columns(std::string_view text);

/// Appends `foreign` to `page`, escaped and wrapped to `width` columns. The first line begins with `first`, those after
/// it with `indent` spaces.
void append_wrapped(std::string& page, std::string_view foreign, std::size_t width, std::string_view first,
                    std::size_t indent);

}  // namespace loadline
