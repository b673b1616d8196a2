#pragma once
// HTTP/2 for a client, over bytes (RFC 9113; frames and HPACK are nghttp2's). Pure: no socket, no clock.
//
// A session carries one request at a time: a connection belongs to one user. Many requests on one connection would wait
// for each other's bytes there (one TCP stream, one window), and that wait, the client's own doing, would be measured
// as the server's.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "wire/http_response.h"

namespace loadline {

struct Http2Request {
  std::string_view method = "POST";
  std::string_view scheme = "https";
  std::string_view authority;  ///< "example.org:8443"
  std::string_view path;
  /// Whole extra lines, each ending in CRLF. Names are sent in lower case; what belongs to HTTP/1.1's connections
  /// (Connection, Transfer-Encoding, ...) is left out.
  std::string_view headers;
  /// Sent as JSON; absent: none. It must stay where it is until the answer is over.
  std::optional<std::string_view> body;
};

/// The client's end of one connection. It is used as HttpResponse is:
///
///   exchange.submit(request);
///   exchange.take_output(bytes_to_send);
///   while (!bytes.empty() && !exchange.failed()) use(exchange.feed(bytes));    // and take_output again
class Http2Exchange {
 public:
  /// The preface and our settings wait to be sent.
  Http2Exchange();
  ~Http2Exchange();
  Http2Exchange(Http2Exchange&&) noexcept;
  Http2Exchange& operator=(Http2Exchange&&) noexcept;

  /// Starts a request; only on a new exchange, or where the last one is over and left it `reusable`.
  void submit(const Http2Request& request);
  /// Appends what must be sent: after `submit`, and after every `feed` (acknowledgements, windows, more of the body).
  void take_output(std::string& out);

  /// Takes bytes off the front of `bytes` until it is empty or a piece of body was found, and returns that piece (a
  /// view into `bytes`). Also between requests: settings, pings and farewells come at any time.
  std::string_view feed(std::string_view& bytes);

  bool head_complete() const;
  /// The whole answer has come, trailers included.
  bool complete() const;
  /// The answer will not be whole: the server reset it, or does not speak HTTP/2.
  bool failed() const;
  /// Why, in words ("the server reset the request: REFUSED_STREAM"). Empty unless `failed`.
  const std::string& problem() const;
  /// Whether anything of this answer has come.
  bool started() const;
  /// Valid once `head_complete`.
  const ResponseHead& head() const;
  /// Another request may be submitted: the last one is over on both sides, and the server has not said that it leaves.
  bool reusable() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Whether a server's first bytes are HTTP/2: its SETTINGS come first, whatever it was asked (RFC 9113, 3.4).
bool begins_as_http2(std::string_view bytes);

}  // namespace loadline
