#pragma once
// What a message may say of a log's fields: names, never its text. Where a header is missing, the first row stands for
// it, and that may be somebody's prompt.

#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// Whether `text` looks like the name of a field: at most 64 bytes of printable ASCII, no blanks, not a number.
bool looks_like_field(std::string_view text);

/// `name` cut to 40 characters.
std::string shown_name(std::string_view name);

/// Of a log with the fields `names`, which lacks `wanted`: ", did you mean X? It has 3 columns: a, b, c". At most 20
/// are listed, and what does not look like a name is only counted.
std::string words_on_fields(std::string_view wanted, const std::vector<std::string>& names);

}  // namespace loadline
