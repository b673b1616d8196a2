// A state machine over lines and counted bytes. Lines (status, headers, chunk sizes, trailers) are short and
// may be split anywhere: an unfinished one is carried. Body bytes are never copied: they are handed on as
// views. The end of a chunked body is found only by counting, never by looking for a byte pattern, since a
// head such as "Keep-Alive: timeout=5, max=100" followed by the blank line holds the pattern of a last chunk.
#include "wire/http_response.h"

#include <algorithm>
#include <charconv>

#include "wire/http_words.h"

namespace loadline {
namespace {

constexpr std::size_t most_plain_digits = 8;

/// 16 and more: not a hexadecimal digit.
constexpr unsigned hex_value(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? static_cast<unsigned>(lower - 'a') + 10 : 16;
}

}  // namespace

void ResponseHead::keep(std::string_view field, std::string_view value) {
  if (same_word(field, "server")) server = value;
  if (same_word(field, "retry-after")) retry_after_s = whole_number(value, 10);
  if (same_word(field, "content-type")) content_type = ascii_lower(without_blanks(value.substr(0, value.find(';'))));
}

void HttpResponse::reset(bool to_head_request) {
  state_ = State::status_line;
  to_head_request_ = to_head_request;
  started_ = until_close_ = head_complete_ = http_1_0_ = false;
  remaining_ = 0;
  head_bytes_ = 0;
  if (pieces_) pieces_->carry.clear();
  problem_ = "";
  head_.status = 0;
  head_.content_length.reset();
  head_.chunked = false;
  head_.keep_alive = true;
  head_.content_type.clear();
  head_.server.clear();
  head_.retry_after_s.reset();
}

void HttpResponse::forget_words() {
  std::string().swap(head_.content_type);
  std::string().swap(head_.server);
}

void HttpResponse::fail(const char* problem) {
  state_ = State::failed;
  problem_ = problem;
}

std::string_view HttpResponse::feed(std::string_view& bytes) {
  if (!bytes.empty()) started_ = true;
  while (!bytes.empty()) {
    switch (state_) {
      case State::complete:
      case State::failed:
        return {};
      case State::length_body:
      case State::chunk_body:
      case State::close_body:
        return take_body(bytes);
      default: {
        if (take_plain_framing(bytes)) continue;
        const std::optional<std::string_view> line = take_line(bytes);
        if (!line) return {};
        on_line(*line);
      }
    }
  }
  return {};
}

/// What stands between two chunks, as nearly every server writes it: CRLF, or a few digits and CRLF, whole in one read.
/// False for all else, which is nobody's before.
bool HttpResponse::take_plain_framing(std::string_view& bytes) {
  if ((state_ != State::chunk_size && state_ != State::chunk_end) || (pieces_ && !pieces_->carry.empty())) return false;
  std::uint64_t size = 0;
  std::size_t digits = 0;
  if (state_ == State::chunk_size) {
    while (digits < std::min<std::size_t>(bytes.size(), most_plain_digits) && hex_value(bytes[digits]) < 16) {
      size = size * 16 + hex_value(bytes[digits++]);
    }
    if (digits == 0) return false;
  }
  if (bytes.substr(digits, 2) != "\r\n") return false;
  bytes.remove_prefix(digits + 2);
  head_bytes_ = 0;
  if (state_ == State::chunk_end) {
    state_ = State::chunk_size;
  } else {
    remaining_ = size;
    state_ = size == 0 ? State::trailers : State::chunk_body;
  }
  return true;
}

std::optional<std::string_view> HttpResponse::take_line(std::string_view& bytes) {
  const std::size_t end = bytes.find('\n');
  const std::size_t taken = end == std::string_view::npos ? bytes.size() : end + 1;
  head_bytes_ += taken;
  if (head_bytes_ > head_limit) {
    fail(state_ <= State::headers ? "the head of the response is over 64 KiB"
                                  : "a chunk size line or the trailers are over 64 KiB");
    return std::nullopt;
  }
  std::string_view line = bytes.substr(0, taken);
  bytes.remove_prefix(taken);
  if (end == std::string_view::npos) {
    if (!pieces_) pieces_ = std::make_unique<Pieces>();
    pieces_->carry.append(line);
    return std::nullopt;
  }
  if (pieces_ && !pieces_->carry.empty()) {
    pieces_->carry.append(line);
    pieces_->line.swap(pieces_->carry);
    pieces_->carry.clear();
    line = pieces_->line;
  }
  line.remove_suffix(1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

void HttpResponse::on_line(std::string_view line) {
  switch (state_) {
    case State::status_line:
      return on_status_line(line);
    case State::headers:
      return line.empty() ? on_head_end() : on_header(line);
    case State::chunk_size:
      return on_chunk_size(line);
    case State::chunk_end:
      return on_chunk_end(line);
    case State::trailers:
      if (line.empty()) state_ = State::complete;
      return;
    default:
      return;
  }
}

void HttpResponse::on_status_line(std::string_view line) {
  const bool known = line.size() >= 12 && line.starts_with("HTTP/1.") && line[8] == ' ' &&
                     (line[7] == '0' || line[7] == '1') && (line.size() == 12 || line[12] == ' ');
  std::uint16_t status = 0;
  const auto parsed = known ? std::from_chars(line.data() + 9, line.data() + 12, status) : std::from_chars_result{};
  if (!known || parsed.ptr != line.data() + 12 || status < 100) return fail("the answer is not HTTP/1.x");
  http_1_0_ = line[7] == '0';
  head_.status = status;
  head_.keep_alive = !http_1_0_;
  state_ = State::headers;
}

void HttpResponse::on_header(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_http_token(line.substr(0, colon))) {
    return fail("a header line is not 'name: value'");  // folded lines too: obsolete, and a way to smuggle
  }
  const std::string_view field = line.substr(0, colon);
  const std::string_view value = without_blanks(line.substr(colon + 1));
  if (same_word(field, "content-length")) return on_length(value);
  if (same_word(field, "transfer-encoding")) return on_transfer_encoding(value);
  if (same_word(field, "connection")) return on_connection(value);
  head_.keep(field, value);
}

void HttpResponse::on_length(std::string_view value) {
  const std::optional<std::uint64_t> length = whole_number(value, 10);
  if (!length) return fail("Content-Length is not a number");
  if (head_.content_length && *head_.content_length != *length) return fail("two Content-Lengths that differ");
  head_.content_length = length;
}

void HttpResponse::on_transfer_encoding(std::string_view value) {
  while (!value.empty()) {
    const std::string_view coding = take_element(value);
    if (coding.empty()) continue;
    if (!same_word(coding, "chunked") || head_.chunked) return fail("a Transfer-Encoding other than chunked");
    head_.chunked = true;
  }
}

void HttpResponse::on_connection(std::string_view value) {
  while (!value.empty()) {
    const std::string_view option = take_element(value);
    if (same_word(option, "close")) head_.keep_alive = false;
    if (same_word(option, "keep-alive") && http_1_0_) head_.keep_alive = true;
  }
}

void HttpResponse::on_head_end() {
  const std::uint16_t status = head_.status;
  head_bytes_ = 0;
  if (status == 101) return fail("the server switched protocols unasked");
  if (status < 200) {  // interim: forget it, the real head follows
    const bool to_head = to_head_request_;
    reset(to_head);
    started_ = true;
    return;
  }
  if (head_.chunked && head_.content_length) return fail("both Content-Length and Transfer-Encoding");
  head_complete_ = true;
  if (to_head_request_ || status == 204 || status == 304) {
    state_ = State::complete;
  } else if (head_.chunked) {
    state_ = State::chunk_size;
  } else if (head_.content_length) {
    remaining_ = *head_.content_length;
    state_ = remaining_ == 0 ? State::complete : State::length_body;
  } else {
    until_close_ = true;
    state_ = State::close_body;
  }
}

void HttpResponse::on_chunk_size(std::string_view line) {
  const std::optional<std::uint64_t> size = chunk_size_of(line);
  if (!size) return fail("a chunk size is not a hexadecimal number");
  head_bytes_ = 0;
  remaining_ = *size;
  state_ = *size == 0 ? State::trailers : State::chunk_body;
}

void HttpResponse::on_chunk_end(std::string_view line) {
  if (!line.empty()) return fail("a chunk is longer than its size");
  head_bytes_ = 0;
  state_ = State::chunk_size;
}

std::string_view HttpResponse::take_body(std::string_view& bytes) {
  std::size_t taken = bytes.size();
  if (state_ != State::close_body) taken = static_cast<std::size_t>(std::min<std::uint64_t>(taken, remaining_));
  const std::string_view body = bytes.substr(0, taken);
  bytes.remove_prefix(taken);
  if (state_ == State::close_body) return body;
  remaining_ -= taken;
  if (remaining_ == 0) state_ = state_ == State::length_body ? State::complete : State::chunk_end;
  return body;
}

void HttpResponse::end_of_input() {
  if (state_ == State::close_body) state_ = State::complete;
}

}  // namespace loadline
