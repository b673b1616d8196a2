#pragma once
// One client at the bench's server: its requests, and the answer that is owed.

#include <openssl/ssl.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/api_answer.h"
#include "net/socket.h"
#include "wire/http_request_parser.h"

namespace loadline::bench {

/// A TLS server's side with a key made for this run; nobody can verify it.
class ServerTls {
 public:
  ServerTls();
  std::unique_ptr<SSL, void (*)(SSL*)> session(int fd) const;

 private:
  std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context_;
};

class ServerConnection {
 public:
  ServerConnection(Socket socket, const ServerTls* tls);

  int fd() const { return socket_.fd(); }
  /// Takes what the socket has. False when the peer is gone.
  bool read();
  /// Goes through what was read; what asks for no tokens is answered at once. True with a request for tokens in
  /// `answer`.
  bool take_request();

  /// Sends what waits. True when nothing waits any more, also where the peer is gone.
  bool flush();
  /// Sends behind what waits, and keeps what the socket does not take.
  void write(std::string_view bytes);
  bool has_unsent() const { return !unsent_.empty(); }
  void shut() { socket_.shut_write(); }

  std::optional<CompletionAnswer> answer;
  std::uint64_t answers = 0;  ///< how many were finished here
  bool ended = false;         ///< the flow's end was written: nothing more is answered

  /// Of the request: the one token id of its prompt, else a number past all ids.
  std::uint32_t id() const { return completion_.tokens.size() == 1 ? completion_.tokens.front() : ~std::uint32_t{0}; }
  std::int64_t asked_tokens() const { return completion_.max_tokens; }
  /// When the kernel received its last bytes, CLOCK_MONOTONIC.
  std::optional<Nanos> request_arrived() const { return arrived_; }

  /// The head of a stream.
  std::string start_bytes() const;
  /// The last token of a stream, its reason and the end of the answer.
  std::string end_bytes();
  /// Appends the next token, with the head before the first and the end after the last; an answer that is not streamed
  /// is one. True after the last.
  bool append_next(std::string& out);
  void finish();

 private:
  IoResult receive(char* buffer, std::size_t size);
  std::size_t send_now(std::string_view bytes);
  bool on_request();

  Socket socket_;
  std::unique_ptr<SSL, void (*)(SSL*)> tls_;
  HttpRequestParser request_;
  std::string unread_, unsent_;
  bool gone_ = false;
  ApiReader reader_;
  CompletionRequest completion_;
  std::int64_t emitted_ = 0;
  std::optional<Nanos> arrived_;
};

}  // namespace loadline::bench
