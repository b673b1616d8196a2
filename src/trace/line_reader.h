#pragma once
// A log line by line.

#include <cstdint>
#include <string_view>

#include "trace/text_window.h"

namespace loadline {

struct Line {
  std::string_view text;     ///< without its end (LF or CRLF)
  std::size_t readable = 0;  ///< bytes that may be read from text.data() on: what a padded parser asks for
  std::uint64_t number = 0;  ///< from 1
  bool ended = true;         ///< false: the last line, without a newline
};

class LineReader {
 public:
  explicit LineReader(TextWindow& window) : window_(window) {}

  /// The next line; false at the end. It is valid until the next call.
  bool next(Line& line);
  std::uint64_t lines() const { return number_; }

 private:
  TextWindow& window_;
  std::size_t taken_ = 0;  ///< bytes of the line given last
  std::uint64_t number_ = 0;
};

}  // namespace loadline
