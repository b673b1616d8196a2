#include "wire/http_request.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "core/error.h"

namespace loadline {
namespace {

/// The length of the UTF-8 character at the front of `text`; 0 where the bytes are not one (RFC 3629: no
/// overlong forms, no surrogates, nothing past U+10FFFF).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if (first == 0xE0 && byte(1) < 0xA0) return 0;
    if (first == 0xED && byte(1) > 0x9F) return 0;
    return follows(1) && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (first == 0xF0 && byte(1) < 0x90) return 0;
    if (first == 0xF4 && byte(1) > 0x8F) return 0;
    return follows(1) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  constexpr std::string_view digits = "0123456789abcdef";
  out += "\\u00";
  out += digits[static_cast<unsigned char>(c) >> 4];
  out += digits[static_cast<unsigned char>(c) & 15];
}

/// Moves the character at the front of `text` to `out`; a byte that begins none as U+FFFD.
void take_character(std::string& out, std::string_view& text, std::size_t length) {
  if (length == 0) {
    out += "\xEF\xBF\xBD";
  } else {
    out.append(text.substr(0, length));
  }
  text.remove_prefix(std::max<std::size_t>(length, 1));
}

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
bool needs_no_escape(char c) { return c >= ' ' && c < 0x7f && c != '"' && c != '\\'; }

/// Moves what holds of, at the front of `text`, to `out`.
void take_stretch(std::string& out, std::string_view& text, bool (*holds)(char)) {
  const auto end = std::find_if_not(text.begin(), text.end(), holds);
  const auto length = static_cast<std::size_t>(end - text.begin());
  out.append(text.substr(0, length));
  text.remove_prefix(length);
}

}  // namespace

void append_number(std::string& out, std::int64_t number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    take_stretch(out, text, needs_no_escape);
    if (text.empty()) break;
    if (is_ascii(text.front())) {
      append_escaped(out, text.front());
      text.remove_prefix(1);
    } else {
      take_character(out, text, utf8_length(text));
    }
  }
  out += '"';
}

void append_valid_utf8(std::string& out, std::string_view text) {
  while (!text.empty()) {
    take_stretch(out, text, is_ascii);
    if (!text.empty()) take_character(out, text, utf8_length(text));
  }
}

void append_header(std::string& out, std::string_view name, std::string_view value) {
  const auto forges = [](char c) { return (c >= 0 && c < ' ' && c != '\t') || c == 0x7f; };
  if (name.empty() || name.find(':') != name.npos || std::any_of(name.begin(), name.end(), forges) ||
      std::any_of(value.begin(), value.end(), forges)) {
    throw Error(
        fmt::format("the header '{}' cannot be sent: its name or value holds a line break or another "
                    "control character; write --header 'name: value'",
                    name));
  }
  out.append(name).append(": ").append(value).append("\r\n");
}

void append_request_head(std::string& out, std::string_view method, std::string_view path, std::string_view host,
                         std::string_view headers, std::optional<std::size_t> content_length) {
  out.append(method).append(" ").append(path).append(" HTTP/1.1\r\nHost: ").append(host);
  out.append("\r\nUser-Agent: loadline/" LOADLINE_VERSION "\r\n");  // some gateways refuse nameless clients
  if (content_length) {
    out += "Content-Type: application/json\r\nAccept: text/event-stream, application/json\r\nContent-Length: ";
    append_number(out, static_cast<std::int64_t>(*content_length));
    out += "\r\n";
  }
  out.append(headers).append("\r\n");
}

}  // namespace loadline
