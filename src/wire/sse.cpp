// Lines are cut at LF, CR or CRLF. A CR ends its line at once (waiting for a possible LF would hold a token
// back), and an LF that comes next, perhaps in the next read, is swallowed. The hot case, a whole line in the
// read, is a view; only what is unfinished when the read ends is copied. What comes out does not depend on how the
// bytes were cut.
#include "wire/sse.h"

#include <algorithm>
#include <utility>

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
  if (pieces_) pieces_->carry.clear();
  data_ = type_ = {};
  data_kept_ = type_kept_ = line_kept_ = false;
  data_seen_ = after_cr_ = failed_ = false;
  first_line_ = true;
}

SseParser::Pieces& SseParser::pieces() {
  if (!pieces_) pieces_ = std::make_unique<Pieces>();
  return *pieces_;
}

std::string_view SseParser::problem() const {
  return failed_ ? std::string_view("a line or event of the stream is over 16 MiB") : std::string_view();
}

std::optional<SseEvent> SseParser::next(std::string_view& bytes) {
  while (!failed_) {
    const std::optional<std::string_view> line = take_line(bytes);
    if (!line) {
      keep_views();
      return std::nullopt;
    }
    if (const std::optional<SseEvent> event = on_line(*line)) return event;
  }
  bytes = {};
  return std::nullopt;
}

std::optional<SseEvent> SseParser::finish() {
  if (failed_) return std::nullopt;
  if (pieces_ && !pieces_->carry.empty()) {
    pieces_->line.swap(pieces_->carry);
    pieces_->carry.clear();
    line_kept_ = true;
    if (const std::optional<SseEvent> event = on_line(pieces_->line)) return event;
  }
  return failed_ ? std::nullopt : dispatch();
}

std::optional<std::string_view> SseParser::take_line(std::string_view& bytes) {
  if (after_cr_ && !bytes.empty()) {
    if (bytes.front() == '\n') bytes.remove_prefix(1);
    after_cr_ = false;
  }
  const std::size_t end = line_end(bytes);
  const std::size_t carried = pieces_ ? pieces_->carry.size() : 0;
  if (carried + std::min(end, bytes.size()) > line_limit) {
    failed_ = true;
    return std::nullopt;
  }
  if (end == std::string_view::npos) {
    if (!bytes.empty()) pieces().carry.append(bytes);
    bytes = {};
    return std::nullopt;
  }
  std::string_view line = bytes.substr(0, end);
  after_cr_ = bytes[end] == '\r';
  bytes.remove_prefix(end + 1);
  line_kept_ = carried > 0;
  if (line_kept_) {
    pieces_->carry.append(line);
    pieces_->line.swap(pieces_->carry);
    pieces_->carry.clear();
    line = pieces_->line;
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
    set_type(value);
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
  if (!data_seen_) {
    data_ = value;
    data_seen_ = true;
    data_kept_ = false;
    if (line_kept_) keep_views();
    return;
  }
  keep_views();
  pieces().data.push_back('\n');
  data_ = pieces().data.append(value);
}

void SseParser::set_type(std::string_view value) {
  type_ = value;
  type_kept_ = false;
  if (line_kept_) keep_views();
}

/// The bytes that they point into will not outlive this call.
void SseParser::keep_views() {
  if (data_seen_ && !data_kept_) {
    data_ = pieces().data.assign(data_);
    data_kept_ = true;
  }
  if (!type_.empty() && !type_kept_) {
    type_ = pieces().type.assign(type_);
    type_kept_ = true;
  }
}

std::optional<SseEvent> SseParser::dispatch() {
  SseEvent event{SseEvent::Kind::message, type_.empty() ? std::string_view("message") : type_, data_};
  const bool has_data = std::exchange(data_seen_, false);
  if (type_kept_ && !type_.empty()) {
    pieces_->dispatched_type.swap(pieces_->type);
    event.type = pieces_->dispatched_type;
  }
  if (data_kept_ && has_data) {
    pieces_->dispatched_data.swap(pieces_->data);
    event.data = pieces_->dispatched_data;
  }
  data_ = type_ = {};
  if (!has_data) return std::nullopt;
  return event;
}

}  // namespace loadline
