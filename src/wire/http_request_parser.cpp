#include "wire/http_request_parser.h"

#include <algorithm>

#include "wire/http_words.h"

namespace loadline {
namespace {

bool has_control_byte(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && byte != '\t') || byte == 0x7f;
  });
}

}  // namespace

void HttpRequestParser::reset() {
  state_ = State::request_line;
  started_ = http_1_0_ = has_host_ = false;
  head_bytes_ = 0;
  remaining_ = 0;
  line_.clear();
  body_.clear();
  status_ = 0;
  problem_.clear();
  head_ = RequestHead{};
}

void HttpRequestParser::fail(std::uint16_t status, std::string_view problem) {
  state_ = State::failed;
  status_ = status;
  problem_ = problem;
}

void HttpRequestParser::feed(std::string_view& bytes) {
  while (!bytes.empty() && state_ < State::complete) {
    started_ = true;
    if (state_ == State::length_body || state_ == State::chunk_body)
      take_body(bytes);
    else if (take_line(bytes))
      on_line();
  }
}

/// Moves bytes to line_ up to the end of a line; true when it is whole, without its CRLF.
bool HttpRequestParser::take_line(std::string_view& bytes) {
  const std::size_t end = bytes.find('\n');
  const std::size_t count = end == bytes.npos ? bytes.size() : end + 1;
  if (count > limits_.head - head_bytes_) {
    fail(431, "the head is too large");
    return false;
  }
  head_bytes_ += count;
  line_.append(bytes.substr(0, count));
  bytes.remove_prefix(count);
  if (end == bytes.npos) return false;
  if (line_.size() < 2 || line_[line_.size() - 2] != '\r') {
    fail(400, "a line ends without a carriage return");
    return false;
  }
  line_.resize(line_.size() - 2);
  return true;
}

void HttpRequestParser::take_body(std::string_view& bytes) {
  const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(remaining_, bytes.size()));
  body_.append(bytes.substr(0, count));
  bytes.remove_prefix(count);
  remaining_ -= count;
  if (remaining_ > 0) return;
  state_ = state_ == State::length_body ? State::complete : State::chunk_end;
}

void HttpRequestParser::on_line() {
  const std::string_view line = line_;
  switch (state_) {
    case State::request_line:
      // A blank line before a request is the rest of some clients' last one.
      if (!line.empty()) on_request_line(line);
      break;
    case State::headers:
      line.empty() ? on_head_end() : on_header(line);
      break;
    case State::chunk_size:
      on_chunk_size(line);
      break;
    case State::chunk_end:
      if (line.empty())
        state_ = State::chunk_size;
      else
        fail(400, "a chunk is longer than its size");
      break;
    case State::trailers:
      if (line.empty()) state_ = State::complete;
      break;
    default:
      break;
  }
  line_.clear();
}

void HttpRequestParser::on_request_line(std::string_view line) {
  const std::size_t first = line.find(' ');
  const std::size_t second = first == line.npos ? line.npos : line.find(' ', first + 1);
  if (second == line.npos) return fail(400, "the request line is not 'METHOD target HTTP/1.1'");
  const std::string_view method = line.substr(0, first), target = line.substr(first + 1, second - first - 1);
  if (!is_http_token(method)) return fail(400, "the method is not a token");
  if (target.empty() || target.front() != '/' || has_control_byte(target)) return fail(400, "the target is not a path");
  head_.method = method;
  const std::size_t mark = target.find('?');
  head_.path = target.substr(0, mark);
  if (mark != target.npos) head_.query = target.substr(mark + 1);
  state_ = State::headers;
  on_version(line.substr(second + 1));
}

void HttpRequestParser::on_version(std::string_view version) {
  if (version == "HTTP/1.1") return;
  if (version == "HTTP/1.0") {
    http_1_0_ = true;
    head_.keep_alive = false;
    return;
  }
  const bool named = version.size() == 8 && version.substr(0, 5) == "HTTP/";
  fail(named ? 505 : 400, "the version is not HTTP/1.1");
}

void HttpRequestParser::on_header(std::string_view line) {
  const std::size_t colon = line.find(':');
  // No folding (a line that begins with a blank) and no blank before the colon: both were used to smuggle.
  if (colon == line.npos || !is_http_token(line.substr(0, colon))) return fail(400, "a header line is malformed");
  const std::string name = ascii_lower(line.substr(0, colon));
  const std::string_view value = without_blanks(line.substr(colon + 1));
  if (has_control_byte(value)) return fail(400, "a header has a control character");
  if (name == "content-length")
    on_length(value);
  else if (name == "transfer-encoding")
    on_transfer_encoding(value);
  else if (name == "connection")
    on_connection(value);
  else if (name == "content-type")
    head_.content_type = ascii_lower(without_blanks(value.substr(0, value.find(';'))));
  else if (name == "expect")
    head_.expects_continue = ascii_lower(value) == "100-continue";
  else if (name == "host") {
    if (has_host_) return fail(400, "there are two Host headers");
    has_host_ = true;
  }
}

void HttpRequestParser::on_length(std::string_view value) {
  const std::optional<std::uint64_t> length = whole_number(value, 10);
  if (!length || head_.content_length) return fail(400, "Content-Length is not one number");
  head_.content_length = length;
}

void HttpRequestParser::on_transfer_encoding(std::string_view value) {
  if (head_.chunked || http_1_0_) return fail(400, "Transfer-Encoding is sent twice or with HTTP/1.0");
  if (ascii_lower(value) != "chunked") return fail(501, "the only transfer coding known is chunked");
  head_.chunked = true;
}

void HttpRequestParser::on_connection(std::string_view value) {
  while (!value.empty()) {
    const std::string_view option = take_element(value);
    if (same_word(option, "close")) head_.keep_alive = false;
    if (same_word(option, "keep-alive") && http_1_0_) head_.keep_alive = true;
  }
}

void HttpRequestParser::on_head_end() {
  if (!has_host_ && !http_1_0_) return fail(400, "there is no Host header");
  if (head_.chunked && head_.content_length) return fail(400, "Content-Length and Transfer-Encoding are sent together");
  head_bytes_ = 0;
  if (head_.chunked) {
    state_ = State::chunk_size;
    return;
  }
  remaining_ = head_.content_length.value_or(0);
  if (remaining_ > limits_.body) return fail(413, "the body is too large");
  state_ = remaining_ > 0 ? State::length_body : State::complete;
}

void HttpRequestParser::on_chunk_size(std::string_view line) {
  const std::optional<std::uint64_t> size = chunk_size_of(line);
  if (!size) return fail(400, "a chunk size is not hexadecimal");
  if (*size > limits_.body - body_.size()) return fail(413, "the body is too large");
  remaining_ = *size;
  // A body in many small chunks may carry more bytes of framing than a head may have.
  if (*size > 0) head_bytes_ = 0;
  state_ = *size > 0 ? State::chunk_body : State::trailers;
}

}  // namespace loadline
