#pragma once
// One client's connection to the engine's server: bytes in, bytes out, and the request it waits for.

#include <optional>
#include <string>
#include <utility>

#include "engine/api_answer.h"
#include "engine/step_schedule.h"
#include "net/poller.h"
#include "net/socket.h"
#include "wire/http_request_parser.h"

namespace loadline {

class HttpConnection {
 public:
  HttpConnection(Socket socket, std::uint64_t key) : socket_(std::move(socket)), key_(key) {}

  /// Reads what the socket has. False when the peer is gone, or sends on and on while it is owed an answer.
  bool read();
  /// True when what was read holds a whole or failed request, in request(). Call finish_request() once it is answered.
  bool take_request();
  const HttpRequestParser& request() const { return request_; }
  void finish_request();

  /// Writes, or keeps what the socket does not take now. False when the peer is gone.
  bool send(std::string_view bytes, Poller& poller);
  /// Some of what was sent waits for the socket to take it.
  bool has_unsent() const { return !unsent_.empty(); }
  /// The socket takes bytes again. False when the peer is gone.
  bool flush(Poller& poller);
  /// After the last answer: our side is shut once all is sent, and what still comes is thrown away until the
  /// peer closes. (To close at once would reset the connection and could take the answer with it.)
  void close_after_answer() { closing_ = true; }
  bool closing() const { return closing_; }

  const Socket& socket() const { return socket_; }

  std::optional<CompletionAnswer> answer;  ///< of the request that is in the engine
  WallTime submitted{};
  bool ending = false;  ///< the step being delivered ends it

 private:
  void shut_when_sent();

  Socket socket_;
  std::uint64_t key_;
  HttpRequestParser request_;
  std::string unread_;  ///< read, not parsed: the next request while an answer is owed
  std::string unsent_;
  bool continued_ = false;  ///< "100 Continue" was sent for this request
  bool closing_ = false;
  bool shut_ = false;
};

}  // namespace loadline
