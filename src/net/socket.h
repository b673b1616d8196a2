#pragma once
// A socket that owns its descriptor. All calls are non-blocking and never raise SIGPIPE; what the peer does
// is told by values, only a lack of resources of this machine throws.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/units.h"
#include "net/address.h"

namespace loadline {

enum class Io : std::uint8_t {
  done,         ///< `bytes` > 0 were moved
  would_block,  ///< nothing now; wait for the poller
  closed,       ///< the peer ended its side in good order (reads only)
  failed,       ///< reset or worse: `error` is the errno
};

struct IoResult {
  Io state = Io::would_block;
  std::size_t bytes = 0;
  int error = 0;
  /// CLOCK_REALTIME at which the kernel received the last of these bytes; absent on Unix sockets, when stamps
  /// were not asked for, and in the first moments after they were (the kernel turns them on lazily).
  std::optional<Nanos> received{};
};

class Socket {
 public:
  Socket() = default;
  explicit Socket(int fd) : fd_(fd) {}
  Socket(Socket&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  Socket& operator=(Socket&& other) noexcept;
  ~Socket() { close(); }

  bool is_open() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  void close();

  /// Reads what is there, with the kernel's receive stamp where there is one.
  IoResult read(std::span<char> buffer);
  /// Writes as much as the kernel takes; the two-part form gathers them into one call (head and body).
  IoResult write(std::string_view bytes) { return write(bytes, {}); }
  IoResult write(std::string_view first, std::string_view second);

  /// Ends our side; the peer reads an end of file after what was written.
  void shut_write();
  /// Whether a connect has come to its outcome.
  bool connect_decided() const;
  /// The outcome of a connect, once decided: 0 or an errno.
  int connect_error() const;
  /// Closing sends a reset and forgets unsent bytes: tests of cut connections.
  void reset_on_close();

 private:
  int fd_ = -1;
};

/// Starts to connect: non-blocking, TCP_NODELAY, receive stamps on. Writable means decided: ask
/// `connect_error`. A refusal known at once, or no descriptor left, is told by `error` (errno) and a closed socket.
/// `source` not null: the connection comes from that address of this machine, from a port that only has to be free
/// towards `address`.
Socket start_connect(const Address& address, int& error, const Address* source = nullptr);
/// Why no socket can have this address; 0: one can.
int bind_error(const Address& address);

struct Listener {
  Socket socket;
  std::uint16_t port = 0;
};
/// Listens on that address, or throws Error saying why not. Port 0 takes a free one.
Listener listen_on(const Address& address);
/// Listens on 127.0.0.1. Port 0 takes a free one.
Listener listen_on_loopback(std::uint16_t port = 0);
/// A connection that waits (non-blocking, TCP_NODELAY, no stamps), or none.
std::optional<Socket> accept_from(const Socket& listener);

/// An open socket that asks for receive stamps, and so keeps the kernel's stamping on: it starts lazily with the
/// first such socket. Hold it for the run.
Socket keep_receive_stamps_on();

/// Raises the limit of open files to what the system allows this process; returns it.
std::uint64_t raise_open_file_limit();

/// "Connection refused" and the like for an errno.
std::string error_text(int error);

}  // namespace loadline
