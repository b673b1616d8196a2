#include "trace/text_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/error.h"

namespace loadline {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

TextWindow::TextWindow(ByteSource& source, std::size_t capacity)
    : source_(source), buffer_(std::max(capacity, byte_order_mark.size()) + padding) {
  buffer_[0] = '\n';
}

void TextWindow::make_room() {
  const std::size_t held = end_ - begin_;
  if (begin_ > 0) std::memmove(buffer_.data(), buffer_.data() + begin_, held);
  begin_ = 0;
  end_ = held;
  if (held + padding < buffer_.size()) return;
  if (held >= longest_line) {
    throw Error(
        fmt::format("{} has a line of more than {} MiB; this is no log of requests", name(), longest_line >> 20));
  }
  buffer_.resize(held * 2 + padding);
}

bool TextWindow::read_more() {
  const std::size_t before = held().size();
  while (!at_end_ && held().size() <= before) {
    make_room();
    const std::size_t count = source_.read({buffer_.data() + end_, buffer_.size() - padding - end_});
    end_ += count;
    buffer_[end_] = '\n';
    at_end_ = count == 0;
    if (!started_) take_byte_order_mark();
  }
  return held().size() > before;
}

void TextWindow::take_byte_order_mark() {
  if (!at_end_ && end_ < byte_order_mark.size()) return;  // too few bytes to tell
  started_ = true;
  if (held().starts_with(byte_order_mark)) take(byte_order_mark.size());
}

std::string_view TextWindow::head(std::size_t count) {
  while (held().size() < count && read_more()) {
  }
  return held();
}

}  // namespace loadline
