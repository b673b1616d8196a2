#pragma once
// The small words of HTTP/1.1 heads (RFC 9110, 9112), for requests and responses alike. Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace loadline {

/// ASCII letters only, whatever the locale.
std::string ascii_lower(std::string_view text);
bool same_word(std::string_view a, std::string_view b);
/// Without blanks and tabs at both ends.
std::string_view without_blanks(std::string_view text);
/// Takes the first element off a comma-separated list.
std::string_view take_element(std::string_view& list);
/// A method's or a header's name: so neither a folded line nor a blank before the colon is one; both were used to
/// smuggle.
bool is_http_token(std::string_view text);
/// All of `text` as a number in that base, or nothing: no sign, no blanks, no overflow.
std::optional<std::uint64_t> whole_number(std::string_view text, int base);
/// The size of a chunk's line, its extensions ignored.
std::optional<std::uint64_t> chunk_size_of(std::string_view line);

}  // namespace loadline
