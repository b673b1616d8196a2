#pragma once
// A moving window over a log's bytes: the one buffer that all readers of lines and records share. It holds
// what was read and not yet taken; more is read only when a line does not fit in what is there.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/byte_source.h"

namespace loadline {

class TextWindow {
 public:
  /// Reads up to `capacity` bytes at a time. `source` must outlive the window. A byte order mark is taken away.
  explicit TextWindow(ByteSource& source, std::size_t capacity = std::size_t{1} << 20);

  /// The bytes held and not yet taken. data()[size] is a newline that does not belong to them, and at least
  /// `padding` bytes behind them may be read. Valid until take() or read_more().
  std::string_view held() const { return {buffer_.data() + begin_, end_ - begin_}; }
  char* data() { return buffer_.data() + begin_; }
  /// Takes `count` bytes away from the front.
  void take(std::size_t count) { begin_ += count; }
  /// Reads at least one byte more behind what is held; false at the end. Throws Error for a line longer than
  /// longest_line.
  bool read_more();
  bool at_end() const { return at_end_; }
  /// The first bytes of the log, at least `count` where it has so many, and none of them taken.
  std::string_view head(std::size_t count);
  const std::string& name() const { return source_.name(); }

  static constexpr std::size_t padding = 64;
  static constexpr std::size_t longest_line = std::size_t{1} << 28;

 private:
  void make_room();
  void take_byte_order_mark();

  ByteSource& source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  bool at_end_ = false, started_ = false;
};

}  // namespace loadline
