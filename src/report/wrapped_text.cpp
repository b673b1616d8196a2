#include "report/wrapped_text.h"

#include <algorithm>

#include "report/escape.h"

namespace loadline {

std::size_t text_columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80; }));
}

void append_wrapped(std::string& page, std::string_view foreign, std::size_t width, std::string_view first,
                    std::size_t indent) {
  const std::string text = escape_terminal(foreign);
  std::string line(first);
  bool line_has_word = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = text.find_first_not_of(' ', at);
    if (start == std::string::npos) break;
    const std::size_t end = std::min(text.find(' ', start), text.size());
    const std::string word = text.substr(start, end - start);
    if (line_has_word && text_columns(line) + 1 + text_columns(word) > width) {
      page += line + '\n';
      line.assign(indent, ' ');
      line_has_word = false;
    }
    if (line_has_word) line += ' ';
    line += word;
    line_has_word = true;
    at = end;
  }
  if (line_has_word) page += line + '\n';
}

}  // namespace loadline
