#include "trace/json_record_reader.h"

#include <utility>

#include "trace/newlines.h"

namespace loadline {
namespace {

/// Where the object that starts at text[0] ends (one past its brace); 0 where it goes on behind the text. `state`
/// remembers how far the scan came, so that bytes are looked at once however the text grows.
struct ObjectScan {
  std::size_t at = 0;
  int depth = 0;
  bool in_string = false;

  std::size_t end_in(std::string_view text) {
    while (at < text.size()) {
      if (in_string) {
        const std::size_t stop = text.find_first_of("\"\\", at);
        if (stop == std::string_view::npos) {
          at = text.size();
          return 0;
        }
        if (text[stop] == '\\') {
          if (stop + 1 >= text.size()) {
            at = stop;
            return 0;
          }
          at = stop + 2;
          continue;
        }
        in_string = false;
        at = stop + 1;
        continue;
      }
      const char c = text[at++];
      if (c == '"') in_string = true;
      if (c == '{' || c == '[') ++depth;
      if ((c == '}' || c == ']') && --depth == 0) return at;
    }
    return 0;
  }
};

std::string_view trim_right(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::uint64_t JsonRecordReader::take_blank_lines() { return std::exchange(blank_lines_, 0); }

/// Passes blanks, and what stands between the elements of an array; false at the end of the log.
bool JsonRecordReader::skip_to_record() {
  for (;;) {
    const std::string_view held = window_.held();
    std::size_t at = 0;
    for (; at < held.size(); ++at) {
      const char c = held[at];
      if (c == '\n') {
        if (line_is_blank_) ++blank_lines_;
        line_is_blank_ = true;
        ++line_;
      } else if (c == '[' || c == ']' || c == ',') {
        line_is_blank_ = false;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        break;
      }
    }
    const bool found = at < held.size();
    window_.take(at);
    if (found) return true;
    if (!window_.read_more()) return false;
  }
}

/// Whether the line that starts here holds one whole object and nothing else, as far as its ends tell.
bool JsonRecordReader::line_is_record(std::size_t line_size) const {
  const std::string_view line = trim_right(window_.held().substr(0, line_size));
  return line.size() >= 2 && line.front() == '{' && line.back() == '}';
}

void JsonRecordReader::give(Line& record, std::size_t size, bool ended) {
  record.text = window_.held().substr(0, size);
  record.readable = window_.held().size() + TextWindow::padding;
  record.number = line_;
  record.ended = ended;
  taken_ = size;
  line_ += count_newlines(record.text);
  line_is_blank_ = false;
}

bool JsonRecordReader::next(Line& record) {
  window_.take(std::exchange(taken_, 0));
  if (!skip_to_record()) return false;
  std::size_t looked = 0, line_end = std::string_view::npos;
  while (line_end == std::string_view::npos) {
    line_end = window_.held().find('\n', looked);
    looked = window_.held().size();
    if (line_end == std::string_view::npos && !window_.read_more()) break;
  }
  const bool line_ended = line_end != std::string_view::npos;
  const std::size_t line_size = line_ended ? line_end : window_.held().size();
  const bool object = window_.held().front() == '{';
  if (!object || line_is_record(line_size)) {
    give(record, line_size, line_ended);
    return true;
  }
  ObjectScan scan;
  for (;;) {
    const std::size_t end = scan.end_in(window_.held());
    if (end > 0) {
      give(record, end, true);
      return true;
    }
    if (!window_.read_more()) break;
  }
  give(record, window_.held().size(), false);
  return true;
}

}  // namespace loadline
