#include "trace/python_repr.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "trace/numbers.h"

namespace loadline {
namespace {

bool is_quote(char c) { return c == '\'' || c == '"'; }

/// One past the quote that closes the text whose opening quote is at `at`; npos where none does.
std::size_t end_of_python_text(std::string_view text, std::size_t at) {
  const char stops[] = {text[at], '\\'};
  for (++at; at < text.size();) {
    at = text.find_first_of(std::string_view(stops, 2), at);
    if (at == std::string_view::npos) return at;
    if (text[at] != '\\') return at + 1;
    at += 2;
  }
  return std::string_view::npos;
}

/// Where the value that begins at 0 ends: at a comma or a closing bracket that is not its own, or at the end. npos
/// where a text or a bracket is not closed.
std::size_t end_of_python_value(std::string_view text) {
  int depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (is_quote(c)) {
      at = end_of_python_text(text, at);
      if (at == std::string_view::npos) return at;
      continue;
    }
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ',' && depth == 0) || ((c == ')' || c == ']' || c == '}') && --depth < 0)) return at;
    ++at;
  }
  return depth == 0 ? text.size() : std::string_view::npos;
}

void append_utf8(std::uint32_t code, std::string& text) {
  if (code >= 0xD800 && code < 0xE000) code = '?';  // half a pair: Python's way to print bytes that were no UTF-8
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | (code >> 6));
  } else if (code < 0x10000) {
    put(0xE0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3F));
  } else {
    put(0xF0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3F));
    put(0x80 | ((code >> 6) & 0x3F));
  }
  put(0x80 | (code & 0x3F));
}

/// Digits of \xNN, \uNNNN and \UNNNNNNNN; 0 for others.
std::size_t hex_digits(char escape) { return escape == 'x' ? 2 : escape == 'u' ? 4 : escape == 'U' ? 8 : 0; }

/// The escape behind the backslash at the front of `rest`, which it is taken off.
bool append_escape(std::string_view& rest, std::string& text) {
  const char c = rest.front();
  rest.remove_prefix(1);
  const std::size_t digits = hex_digits(c);
  if (digits == 0) {
    text += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
    return true;
  }
  std::uint32_t code = 0;
  const std::string_view hex = rest.substr(0, digits);
  const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), code, 16);
  if (error != std::errc{} || end != hex.data() + digits || code > 0x10FFFF) return false;
  append_utf8(code, text);
  rest.remove_prefix(digits);
  return true;
}

}  // namespace

bool PythonPairs::next() {
  rest_ = trimmed(rest_);
  if (rest_.empty() || !sound_) return false;
  sound_ = false;
  const bool quoted = is_quote(rest_.front());
  const std::size_t name_end = quoted ? end_of_python_text(rest_, 0) : rest_.find_first_of("=,()[]{}'\"");
  if (name_end == std::string_view::npos || name_end >= rest_.size()) return false;
  name_ = quoted ? rest_.substr(1, name_end - 2) : rest_.substr(0, name_end);
  if (rest_[name_end] != (quoted ? ':' : '=')) return false;
  rest_.remove_prefix(name_end + 1);
  const std::size_t end = end_of_python_value(rest_);
  if (end == std::string_view::npos || (end < rest_.size() && rest_[end] != ',')) return false;
  value_ = trimmed(rest_.substr(0, end));
  rest_.remove_prefix(end < rest_.size() ? end + 1 : end);
  sound_ = true;
  return true;
}

std::string_view python_inside(std::string_view value) {
  const std::size_t open = value.find_first_of("([{");
  if (open == std::string_view::npos || value.size() < open + 2) return {};
  const char closing = value[open] == '(' ? ')' : value[open] == '[' ? ']' : '}';
  return value.back() == closing ? value.substr(open + 1, value.size() - open - 2) : std::string_view();
}

bool append_python_text(std::string_view literal, std::string& text) {
  if (literal.empty() || !is_quote(literal.front()) || end_of_python_text(literal, 0) != literal.size()) return false;
  std::string_view rest = literal.substr(1, literal.size() - 2);
  while (!rest.empty()) {
    const std::size_t escape = std::min(rest.find('\\'), rest.size());
    text += rest.substr(0, escape);
    rest.remove_prefix(escape);
    if (rest.empty()) break;
    rest.remove_prefix(1);
    if (!append_escape(rest, text)) return false;
  }
  return true;
}

std::string_view python_name(std::string_view literal) {
  if (literal.size() < 2 || !is_quote(literal.front()) || literal.back() != literal.front()) return {};
  return literal.substr(1, literal.size() - 2);
}

}  // namespace loadline
