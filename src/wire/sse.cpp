// Lines are cut at LF, CR or CRLF. A CR ends its line at once (waiting for a possible LF would hold a token
// back), and an LF that comes next, perhaps in the next read, is swallowed. The hot case, a whole line in the
// read, is a view; only an unfinished line is copied. What comes out does not depend on how the bytes were cut.
#include "wire/sse.h"

#include <algorithm>

namespace loadline {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::size_t line_end(std::string_view bytes) {
  const std::size_t lf = bytes.find('\n');
  const std::size_t cr = bytes.substr(0, lf).find('\r');
  return cr == std::string_view::npos ? lf : cr;
}

}  // namespace

void SseParser::reset() {
  carry_.clear();
  data_.clear();
  type_.clear();
  data_seen_ = after_cr_ = failed_ = false;
  first_line_ = true;
}

std::string_view SseParser::problem() const {
  return failed_ ? std::string_view("a line or event of the stream is over 16 MiB") : std::string_view();
}

std::optional<SseEvent> SseParser::next(std::string_view& bytes) {
  while (!failed_) {
    const std::optional<std::string_view> line = take_line(bytes);
    if (!line) return std::nullopt;
    if (const std::optional<SseEvent> event = on_line(*line)) return event;
  }
  bytes = {};
  return std::nullopt;
}

std::optional<SseEvent> SseParser::finish() {
  if (failed_) return std::nullopt;
  if (!carry_.empty()) {
    line_.swap(carry_);
    carry_.clear();
    if (const std::optional<SseEvent> event = on_line(line_)) return event;
  }
  return failed_ ? std::nullopt : dispatch();
}

std::optional<std::string_view> SseParser::take_line(std::string_view& bytes) {
  if (after_cr_ && !bytes.empty()) {
    if (bytes.front() == '\n') bytes.remove_prefix(1);
    after_cr_ = false;
  }
  const std::size_t end = line_end(bytes);
  if (carry_.size() + std::min(end, bytes.size()) > line_limit) {
    failed_ = true;
    return std::nullopt;
  }
  if (end == std::string_view::npos) {
    carry_.append(bytes);
    bytes = {};
    return std::nullopt;
  }
  std::string_view line = bytes.substr(0, end);
  after_cr_ = bytes[end] == '\r';
  bytes.remove_prefix(end + 1);
  if (!carry_.empty()) {
    carry_.append(line);
    line_.swap(carry_);
    carry_.clear();
    line = line_;
  }
  return line;
}

std::optional<SseEvent> SseParser::on_line(std::string_view line) {
  if (first_line_) {
    first_line_ = false;
    if (line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
  }
  if (line.empty()) return dispatch();
  const std::size_t colon = line.find(':');
  if (colon == 0) return std::nullopt;  // a comment: keep-alive pings
  const std::string_view field = line.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (field == "data") {
    add_data(value);
  } else if (field == "event") {
    type_ = value;
  } else if (field != "id" && field != "retry") {  // these two only tell how to reconnect
    return SseEvent{SseEvent::Kind::stray, {}, line};
  }
  return std::nullopt;
}

void SseParser::add_data(std::string_view value) {
  if (data_.size() + value.size() + 1 > line_limit) {
    failed_ = true;
    return;
  }
  if (data_seen_) data_.push_back('\n');
  data_.append(value);
  data_seen_ = true;
}

std::optional<SseEvent> SseParser::dispatch() {
  dispatched_type_.swap(type_);
  type_.clear();
  if (!data_seen_) return std::nullopt;
  dispatched_data_.swap(data_);
  data_.clear();
  data_seen_ = false;
  const std::string_view type = dispatched_type_.empty() ? std::string_view("message") : dispatched_type_;
  return SseEvent{SseEvent::Kind::message, type, dispatched_data_};
}

}  // namespace loadline
