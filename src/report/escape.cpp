#include "report/escape.h"

#include <cstddef>
#include <cstdint>

namespace loadline {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 0;  ///< 0: not UTF-8 here
};

/// The code point that starts at `at`; overlong forms, surrogates and cut sequences are no UTF-8.
CodePoint decode_utf8(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(at);
  if (lead < 0x80) return {lead, 1};
  std::size_t length = 0;
  char32_t value = 0, least = 0;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
    value = lead & 0x1Fu;
    least = 0x80;
  }
  if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    value = lead & 0x0Fu;
    least = 0x800;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    value = lead & 0x07u;
    least = 0x10000;
  }
  if (length == 0 || at + length > text.size()) return {};
  for (std::size_t i = at + 1; i < at + length; ++i) {
    if ((byte(i) & 0xC0u) != 0x80) return {};
    value = (value << 6) | (byte(i) & 0x3Fu);
  }
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < least || value > 0x10FFFF || surrogate) return {};
  return {value, length};
}

/// Would move, hide or command: C0, DEL, C1, line separators, zero width, direction marks and overrides, byte order
/// mark.
bool is_unsafe(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x206F) || c == 0x061C || c == 0xFEFF || (c >= 0xE0000 && c <= 0xE007F);
}

bool looks_like_formula(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first != std::string_view::npos && std::string_view("=+-@|%").find(text[first]) != std::string_view::npos;
}

}  // namespace

std::string escape_terminal(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = decode_utf8(text, at);
    if (c.bytes == 0) {
      safe += replacement;
      ++at;
      continue;
    }
    const bool space = c.value == '\n' || c.value == '\r' || c.value == '\t' || c.value == 0x2028 || c.value == 0x2029;
    if (space)
      safe += ' ';
    else if (!is_unsafe(c.value))
      safe += text.substr(at, c.bytes);
    at += c.bytes;
  }
  return safe;
}

std::string escape_html(std::string_view text) {
  std::string escaped;
  for (const char c : escape_terminal(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string escape_markdown(std::string_view text) {
  const std::string safe = escape_terminal(text);
  std::string escaped;
  for (std::size_t i = 0; i < safe.size(); ++i) {
    const char c = safe[i];
    const bool starts_line = escaped.empty() && (c == '+' || c == '-' || c == '=');
    const bool address = c == ':' && safe.compare(i, 3, "://") == 0;
    if (c == '<')
      escaped += "&lt;";
    else if (c == '&')
      escaped += "&amp;";
    else if (address)
      escaped += "&#58;";
    else if (c == '@')
      escaped += "&#64;";
    else if (starts_line || std::string_view("\\`*_[]>|#~$").find(c) != std::string_view::npos)
      (escaped += '\\') += c;
    else
      escaped += c;
  }
  return escaped;
}

std::string escape_csv(std::string_view text) {
  std::string field = escape_terminal(text);
  if (looks_like_formula(field)) field.insert(field.begin(), '\'');
  const bool edge_space = !field.empty() && (field.front() == ' ' || field.back() == ' ');
  if (field.find_first_of(",\";") == std::string::npos && !edge_space) return field;
  std::string quoted = "\"";
  for (const char c : field) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace loadline
