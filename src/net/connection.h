#pragma once
// One client connection, plain or TLS, through a proxy or not, from connect to close: bytes of the application in and
// out. Non-blocking. It does not know HTTP.
//
//   Connection c(address, tls);                    // watch c.fd() for reading, and for writing while wants_write()
//   c.progress();                                  // whenever it is ready
//   if (c.is_open()) c.send(head, body);
//   while (c.read(buffer).state == Io::done) ...

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "net/socket.h"
#include "net/tls.h"
#include "net/tunnel.h"

namespace loadline {

class Connection {
 public:
  /// A buffer for `read` must hold at least this much.
  static constexpr std::size_t read_size = 64 * 1024;

  /// Starts to connect. What is null is not there; what is not outlives the connection. With `tunnel`, `address` is
  /// the proxy's. `source`: an address of this machine that the connection comes from. A refusal is told by `failed`.
  Connection(const Address& address, const TlsContext* tls, const Tunnel* tunnel = nullptr,
             const Address* source = nullptr);

  int fd() const { return socket_.fd(); }
  /// Connected, the tunnel opened, and TLS established: `send` may be called.
  bool is_open() const { return state_ == State::open; }
  bool failed() const { return state_ == State::failed; }
  /// The connect failed for want of something on this machine (descriptors, ports, memory), not because of the peer.
  bool lacked_resources() const { return lacked_resources_; }
  /// In words; only where `failed` or after a read that failed.
  const std::string& problem() const;
  /// What TLS agreed to speak ("h2", "http/1.1"); empty where it did not say, and without TLS. Once `is_open`.
  std::string_view negotiated_protocol() const { return tls_ ? tls_->negotiated_protocol() : std::string_view(); }
  /// It failed because the server speaks none of the protocols that TLS offered.
  bool refused_protocols() const { return tls_ && tls_->refused_protocols(); }
  /// There is something to write or a connect to decide: watch for writable too.
  bool wants_write() const { return state_ == State::connecting || handed_of_unsent_ < unsent_.size(); }

  /// Goes on with the connect, the tunnel, the handshake and unsent bytes, as far as the socket lets it now. Never
  /// harmful.
  void progress();
  /// Sends both, one after the other, and keeps what the kernel does not take yet. Only when `is_open`.
  void send(std::string_view first, std::string_view second);
  /// Bytes that the kernel has taken of what `send` was given (TLS: of its ciphertext, handshake included).
  std::uint64_t bytes_handed() const { return bytes_handed_; }

  /// Application bytes of one read of the socket, with its stamp. `would_block` also when a read brought none that
  /// the application sees (TLS). TLS without the peer's farewell ends as `closed`: HTTP's framing tells a cut.
  IoResult read(std::span<char> buffer);

 private:
  enum class State : std::uint8_t { connecting, tunnelling, handshaking, open, failed };

  void fail(std::string problem);
  void fail_connect(int error);
  void on_connected();
  void on_way_open();
  void read_tunnel();
  void flush();
  IoResult read_tls(std::span<char> buffer);

  Socket socket_;
  const Tunnel* tunnel_ = nullptr;
  const Address* source_ = nullptr;
  std::unique_ptr<TunnelAnswer> tunnel_answer_;  ///< while the proxy answers
  std::optional<TlsSession> tls_;
  State state_ = State::connecting;
  std::string unsent_;
  std::size_t handed_of_unsent_ = 0;
  std::uint64_t bytes_handed_ = 0;
  bool lacked_resources_ = false;
  std::unique_ptr<std::string> problem_;  ///< where there is one
};

}  // namespace loadline
