#pragma once
// JSON objects one after another, however a log lays them out: one a line, pretty-printed, or as the elements of one
// array. An object that fills its line costs no more than finding the line's end; others are scanned byte by byte for
// the brace that closes them. Knows nothing of what is inside.

#include <cstdint>
#include <string_view>

#include "trace/line_reader.h"
#include "trace/text_window.h"

namespace loadline {

class JsonRecordReader {
 public:
  explicit JsonRecordReader(TextWindow& window) : window_(window) {}

  /// The next object, or text that is none (its first line), as a Line: `number` is the line it begins on, `ended` is
  /// false where the log ends inside it. False at the end. Valid until the next call.
  bool next(Line& record);
  /// Lines that held nothing, passed since the last call of this function.
  std::uint64_t take_blank_lines();

 private:
  bool skip_to_record();
  bool line_is_record(std::size_t line_size) const;
  void give(Line& record, std::size_t size, bool ended);

  TextWindow& window_;
  std::size_t taken_ = 0;   ///< bytes of the record given last
  std::uint64_t line_ = 1;  ///< of the first byte held
  std::uint64_t blank_lines_ = 0;
  bool line_is_blank_ = true;  ///< nothing but blanks on the current line so far
};

}  // namespace loadline
