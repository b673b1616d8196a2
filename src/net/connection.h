#pragma once
// One client connection, plain or TLS, from connect to close: bytes of the application in and out. Non-blocking.
// It does not know HTTP.
//
//   Connection c(address, tls);                    // watch c.fd() for reading, and for writing while wants_write()
//   c.progress();                                  // whenever it is ready
//   if (c.is_open()) c.send(head, body);
//   while (c.read(buffer).state == Io::done) ...

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "net/socket.h"
#include "net/tls.h"

namespace loadline {

class Connection {
 public:
  /// A buffer for `read` must hold at least this much.
  static constexpr std::size_t read_size = 64 * 1024;

  /// Starts to connect. `tls` absent: plain; else it outlives the connection. A refusal is told by `failed`.
  Connection(const Address& address, const TlsContext* tls);

  int fd() const { return socket_.fd(); }
  /// Connected, and TLS established: `send` may be called.
  bool is_open() const { return state_ == State::open; }
  bool failed() const { return state_ == State::failed; }
  /// The connect failed for want of something on this machine (descriptors, ports, memory), not because of the peer.
  bool lacked_resources() const { return lacked_resources_; }
  /// In words; only where `failed` or after a read that failed.
  const std::string& problem() const { return problem_; }
  /// There is something to write or a connect to decide: watch for writable too.
  bool wants_write() const { return state_ == State::connecting || !unsent_.empty(); }

  /// Goes on with the connect, the handshake and unsent bytes, as far as the socket lets it now. Never harmful.
  void progress();
  /// Sends both, one after the other, and keeps what the kernel does not take yet. Only when `is_open`.
  void send(std::string_view first, std::string_view second);
  /// Bytes that the kernel has taken of what `send` was given (TLS: of its ciphertext, handshake included).
  std::uint64_t bytes_handed() const { return bytes_handed_; }

  /// Application bytes of one read of the socket, with its stamp. `would_block` also when a read brought none that
  /// the application sees (TLS). TLS without the peer's farewell ends as `closed`: HTTP's framing tells a cut.
  IoResult read(std::span<char> buffer);

 private:
  enum class State : std::uint8_t { connecting, handshaking, open, failed };

  void fail(std::string problem);
  void fail_connect(int error);
  void on_connected();
  void flush();
  IoResult read_tls(std::span<char> buffer);

  Socket socket_;
  std::optional<TlsSession> tls_;
  State state_ = State::connecting;
  std::string unsent_;
  std::uint64_t bytes_handed_ = 0;
  bool lacked_resources_ = false;
  std::string problem_;
};

}  // namespace loadline
