#pragma once
// An HTTP/1.1 response, read from bytes in any fragmentation. Pure: no socket, no clock. It does not know
// what the body means. RFC 9110 and 9112; strict where a guess could move a body's end.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace loadline {

/// What of a head matters to us.
struct ResponseHead {
  std::uint16_t status = 0;
  std::optional<std::uint64_t> content_length;
  bool chunked = false;
  bool keep_alive = true;                      ///< by version and Connection; see also HttpResponse::reusable
  std::string content_type;                    ///< lower case, without parameters: "text/event-stream"
  std::string server;                          ///< as sent
  std::optional<std::uint64_t> retry_after_s;  ///< of Retry-After in seconds; a date there is not read

  /// Keeps the field where it says something of the three above: what is the same in every version of HTTP.
  void keep(std::string_view field, std::string_view value);
};

/// One response at a time:
///
///   while (!bytes.empty() && !response.complete() && !response.failed()) use(response.feed(bytes));
///
/// Interim (1xx) heads are skipped. After `complete` what is left in `bytes` belongs to nobody we asked.
class HttpResponse {
 public:
  /// Ready for the next response on this or another connection; keeps its memory.
  /// `to_head_request`: no body follows whatever the head says.
  void reset(bool to_head_request = false);

  /// Takes bytes off the front of `bytes`, until it is empty, a piece of body was found, or the response is over.
  /// Returns that piece of body (a view into `bytes`, empty if there is none yet).
  std::string_view feed(std::string_view& bytes);
  /// The peer closed. Completes a body that ends with the connection; any other unfinished response stays incomplete.
  void end_of_input();

  /// A head that is not interim came whole, whatever follows it.
  bool head_complete() const { return head_complete_; }
  bool complete() const { return state_ == State::complete; }
  bool failed() const { return state_ == State::failed; }
  /// Whether any byte of this response has come.
  bool started() const { return started_; }
  /// Why it failed, in words. Empty unless `failed`.
  std::string_view problem() const { return problem_; }
  /// Valid once `head_complete`.
  const ResponseHead& head() const { return head_; }
  /// Gives back the memory of the head's words, for whom has copied them or does not want them; its numbers stay.
  void forget_words();
  /// The connection may carry another request: complete, framed by length, and both sides keep it open.
  bool reusable() const { return complete() && head_.keep_alive && !until_close_; }

  static constexpr std::size_t head_limit = 64 * 1024;

 private:
  enum class State : std::uint8_t {
    status_line,
    headers,
    length_body,
    close_body,
    chunk_size,
    chunk_body,
    chunk_end,
    trailers,
    complete,
    failed
  };

  /// Of lines that do not lie in one read: most responses have none.
  struct Pieces {
    std::string carry;  ///< an unfinished line
    std::string line;   ///< a line that was put together from pieces
  };

  void fail(const char* problem);
  std::optional<std::string_view> take_line(std::string_view& bytes);
  bool take_plain_framing(std::string_view& bytes);
  void on_status_line(std::string_view line);
  void on_header(std::string_view line);
  void on_length(std::string_view value);
  void on_transfer_encoding(std::string_view value);
  void on_connection(std::string_view value);
  void on_head_end();
  void on_chunk_size(std::string_view line);
  void on_chunk_end(std::string_view line);
  void on_line(std::string_view line);
  std::string_view take_body(std::string_view& bytes);

  State state_ = State::status_line;
  bool to_head_request_ = false;
  bool started_ = false;
  bool until_close_ = false;
  bool head_complete_ = false;
  bool http_1_0_ = false;
  std::uint64_t remaining_ = 0;  ///< of the length body or the current chunk
  std::size_t head_bytes_ = 0;   ///< of head, chunk extensions or trailers, against head_limit
  std::unique_ptr<Pieces> pieces_;
  const char* problem_ = "";
  ResponseHead head_;
};

}  // namespace loadline
