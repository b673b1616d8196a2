#pragma once
// Text that came from servers, logs and users, made harmless for where it is shown. All of them take any
// bytes: what is not UTF-8 becomes U+FFFD, control and direction-changing characters vanish.

#include <string>
#include <string_view>

namespace loadline {

/// Valid UTF-8 on one line: control characters (C0, DEL, C1: so no terminal escapes), direction
/// overrides and zero-width characters are dropped; line breaks and tabs become one space each.
std::string escape_terminal(std::string_view text);

/// For HTML and SVG text and quoted attributes: escape_terminal, then & < > " ' as entities.
std::string escape_html(std::string_view text);

/// For inline Markdown (GitHub's) and its table cells: escape_terminal, then a backslash before every character that
/// could begin markup, HTML or a cell; bare web addresses do not become links.
std::string escape_markdown(std::string_view text);

/// One CSV field (RFC 4180), quoted where it must be. A text that a spreadsheet would take for a formula
/// (it begins with = + - @ or a space before them) gets a leading apostrophe. For text only: numbers are written as
/// numbers.
std::string escape_csv(std::string_view text);

}  // namespace loadline
