#include "trace/line_reader.h"

#include <cstring>

namespace loadline {

bool LineReader::next(Line& line) {
  window_.take(taken_);
  taken_ = 0;
  std::size_t searched = 0;
  const char* newline = nullptr;
  for (;;) {
    const std::string_view held = window_.held();
    newline = static_cast<const char*>(std::memchr(held.data() + searched, '\n', held.size() - searched));
    if (newline) break;
    searched = held.size();
    if (!window_.read_more()) break;
  }
  const std::string_view held = window_.held();
  line.ended = newline != nullptr;
  if (!line.ended && held.empty()) return false;
  const std::size_t length = line.ended ? static_cast<std::size_t>(newline - held.data()) : held.size();
  taken_ = length + (line.ended ? 1 : 0);
  line.text = held.substr(0, length);
  if (line.text.ends_with('\r')) line.text.remove_suffix(1);
  line.readable = held.size() + TextWindow::padding;
  line.number = ++number_;
  return true;
}

}  // namespace loadline
