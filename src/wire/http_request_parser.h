#pragma once
// An HTTP/1.1 request, read from bytes in any fragmentation: the server's side. Pure: no socket, no clock. It
// does not know what a path or a body means. RFC 9110 and 9112; where a guess could move a body's end it
// refuses, and says with which status.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace loadline {

/// What of a head matters to a server of one small API.
struct RequestHead {
  std::string method;        ///< as sent: "POST"
  std::string path;          ///< the target up to a '?'
  std::string query;         ///< behind it, not decoded
  std::string content_type;  ///< lower case, without parameters
  std::optional<std::uint64_t> content_length;
  bool chunked = false;
  bool keep_alive = true;         ///< by version and Connection
  bool expects_continue = false;  ///< it waits for "100 Continue" before it sends the body
};

struct RequestLimits {
  std::size_t head = 64 * 1024;  ///< request line and headers; also chunk sizes and trailers together
  std::uint64_t body = 64 * 1024 * 1024;
};

/// One request at a time:
///
///   while (!bytes.empty() && !request.complete() && !request.failed()) request.feed(bytes);
///
/// After `complete` what is left in `bytes` is the next request: `reset` and go on.
class HttpRequestParser {
 public:
  explicit HttpRequestParser(RequestLimits limits = {}) : limits_(limits) {}

  /// Ready for the next request on the same connection; keeps its memory.
  void reset();
  /// Takes bytes off the front of `bytes` until it is empty or the request is over.
  void feed(std::string_view& bytes);

  bool started() const { return started_; }
  bool head_complete() const { return state_ > State::headers && state_ != State::failed; }
  bool complete() const { return state_ == State::complete; }
  bool failed() const { return state_ == State::failed; }
  /// What to answer when it failed: 400, 413 (body too large), 431 (head too large), 501 (unknown
  /// transfer coding) or 505 (version). The connection is of no further use.
  std::uint16_t status() const { return status_; }
  std::string_view problem() const { return problem_; }
  /// Valid once `head_complete`; the body once `complete`. Both until `reset`.
  const RequestHead& head() const { return head_; }
  std::string_view body() const { return body_; }

 private:
  enum class State : std::uint8_t {
    request_line,
    headers,
    length_body,
    chunk_size,
    chunk_body,
    chunk_end,
    trailers,
    complete,
    failed
  };

  void fail(std::uint16_t status, std::string_view problem);
  bool take_line(std::string_view& bytes);
  void take_body(std::string_view& bytes);
  void on_line();
  void on_request_line(std::string_view line);
  void on_version(std::string_view version);
  void on_header(std::string_view line);
  void on_length(std::string_view value);
  void on_transfer_encoding(std::string_view value);
  void on_connection(std::string_view value);
  void on_head_end();
  void on_chunk_size(std::string_view line);

  RequestLimits limits_;
  State state_ = State::request_line;
  bool started_ = false;
  bool http_1_0_ = false;
  bool has_host_ = false;
  std::size_t head_bytes_ = 0;   ///< of head, chunk sizes and trailers, against limits_.head
  std::uint64_t remaining_ = 0;  ///< of the body or of the current chunk
  std::string line_;             ///< the line being read
  std::string body_;
  std::uint16_t status_ = 0;
  std::string problem_;
  RequestHead head_;
};

}  // namespace loadline
