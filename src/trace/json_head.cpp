#include "trace/json_head.h"

#include <algorithm>

#include "trace/numbers.h"

namespace loadline {
namespace {

/// One past the quote that closes the text behind the quote at `open`; the end where none does.
std::size_t end_of_text(std::string_view json, std::size_t open) {
  for (std::size_t at = open + 1; at < json.size(); ++at) {
    if (json[at] == '\\') {
      ++at;
    } else if (json[at] == '"') {
      return at + 1;
    }
  }
  return json.size();
}

}  // namespace

bool has_top_level_key(std::string_view object, std::string_view key) {
  int depth = 0;
  for (std::size_t at = 0; at < object.size(); ++at) {
    const char c = object[at];
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return false;
    if (c != '"') continue;
    const std::size_t end = end_of_text(object, at);
    const std::string_view text = object.substr(at, end - at);
    const bool named = depth == 1 && text.size() == key.size() + 2 && text.substr(1, key.size()) == key;
    if (named && trimmed(object.substr(end, 64)).starts_with(':')) return true;
    at = end - 1;
  }
  return false;
}

}  // namespace loadline
