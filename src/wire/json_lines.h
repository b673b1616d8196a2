#pragma once
// Lines of JSON (NDJSON) from bytes in any fragmentation. Pure. It does not know what a line means.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace loadline {

///   while (const std::optional<std::string_view> line = lines.next(bytes)) use(*line);
/// Lines end in LF or CRLF; blank ones are none. Views are valid until the next call.
class JsonLines {
 public:
  /// A new stream; keeps its memory.
  void reset();
  /// Takes bytes off the front of `bytes` until a line is complete; nothing: all were taken, feed more.
  std::optional<std::string_view> next(std::string_view& bytes);
  /// The input is over, whole: a last line without its end.
  std::optional<std::string_view> finish();

  /// Bytes of a line wait for its end.
  bool mid_line() const { return !carry_.empty(); }
  /// A line went past `line_limit`: the stream cannot be read on, `next` gives nothing.
  bool failed() const { return failed_; }
  std::string_view problem() const;

  static constexpr std::size_t line_limit = 16 * 1024 * 1024;

 private:
  std::string carry_;  ///< an unfinished line
  std::string line_;   ///< a line that was put together from pieces
  bool failed_ = false;
};

}  // namespace loadline
