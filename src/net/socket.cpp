#include "net/socket.h"

#include <fmt/core.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <utility>

#include "core/error.h"

namespace loadline {
namespace {

void set_flag(int fd, int level, int option) {
  const int on = 1;
  ::setsockopt(fd, level, option, &on, sizeof on);
}

Socket new_socket(int family, int type) {
  const int fd = ::socket(family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) {
    throw Error(
        fmt::format("cannot open a socket: {}; raise the limit of open files (ulimit -n) or use fewer "
                    "connections",
                    error_text(errno)));
  }
  return Socket(fd);
}

IoResult failed_io(int error) {
  if (error == EAGAIN || error == EWOULDBLOCK || error == EINTR) return {Io::would_block, 0, 0, {}};
  return {Io::failed, 0, error, {}};
}

std::optional<Nanos> receive_stamp(msghdr& message) {
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_TIMESTAMPNS) continue;
    timespec t{};
    std::memcpy(&t, CMSG_DATA(c), sizeof t);
    if (t.tv_sec != 0 || t.tv_nsec != 0) return std::chrono::seconds(t.tv_sec) + Nanos(t.tv_nsec);
  }
  return std::nullopt;
}

}  // namespace

Socket& Socket::operator=(Socket&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

void Socket::close() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

IoResult Socket::read(std::span<char> buffer) {
  iovec part{buffer.data(), buffer.size()};
  alignas(cmsghdr) char control[128];
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t n = ::recvmsg(fd_, &message, 0);
  if (n < 0) return failed_io(errno);
  if (n == 0) return {Io::closed, 0, 0, {}};
  return {Io::done, static_cast<std::size_t>(n), 0, receive_stamp(message)};
}

IoResult Socket::write(std::string_view first, std::string_view second) {
  iovec parts[2] = {{const_cast<char*>(first.data()), first.size()}, {const_cast<char*>(second.data()), second.size()}};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = second.empty() ? 1 : 2;
  const ssize_t n = ::sendmsg(fd_, &message, MSG_NOSIGNAL);
  if (n < 0) return failed_io(errno);
  return {n > 0 ? Io::done : Io::would_block, static_cast<std::size_t>(n), 0, {}};
}

void Socket::shut_write() { ::shutdown(fd_, SHUT_WR); }

bool Socket::connect_decided() const {
  pollfd one{fd_, POLLOUT, 0};
  return ::poll(&one, 1, 0) == 1;
}

int Socket::connect_error() const {
  int error = 0;
  socklen_t length = sizeof error;
  if (::getsockopt(fd_, SOL_SOCKET, SO_ERROR, &error, &length) != 0) return errno;
  return error;
}

void Socket::reset_on_close() {
  const linger hard{1, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
}

int bind_error(const Address& address) {
  const Socket socket = new_socket(address.storage.ss_family, SOCK_STREAM);
  return ::bind(socket.fd(), address.raw(), address.length) == 0 ? 0 : errno;
}

Socket start_connect(const Address& address, int& error, const Address* source) {
  Socket socket(::socket(address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket.is_open()) {
    error = errno;
    return socket;
  }
  if (!address.is_unix()) {
    set_flag(socket.fd(), IPPROTO_TCP, TCP_NODELAY);
    set_flag(socket.fd(), SOL_SOCKET, SO_TIMESTAMPNS);
  }
  if (source != nullptr) {
    // The port is chosen at the connect: 28,000 a destination, not 28,000 in all.
    set_flag(socket.fd(), IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT);
    if (::bind(socket.fd(), source->raw(), source->length) != 0) {
      error = errno;
      socket.close();
      return socket;
    }
  }
  error = 0;
  if (::connect(socket.fd(), address.raw(), address.length) == 0) return socket;
  // A Unix socket whose backlog is full says EAGAIN: there is nothing to wait for, it is a refusal.
  if (errno == EINPROGRESS || errno == EINTR) return socket;
  error = errno;
  socket.close();
  return socket;
}

Listener listen_on(const Address& address) {
  Socket socket = new_socket(address.storage.ss_family, SOCK_STREAM);
  if (!address.is_unix()) set_flag(socket.fd(), SOL_SOCKET, SO_REUSEADDR);
  if (::bind(socket.fd(), address.raw(), address.length) != 0 || ::listen(socket.fd(), SOMAXCONN) != 0) {
    throw Error(fmt::format("cannot listen on {}: {}; choose another port", address.text(), error_text(errno)));
  }
  Address bound;
  bound.length = sizeof bound.storage;
  ::getsockname(socket.fd(), reinterpret_cast<sockaddr*>(&bound.storage), &bound.length);
  std::uint16_t port = 0;
  if (bound.storage.ss_family == AF_INET) port = ntohs(reinterpret_cast<sockaddr_in*>(&bound.storage)->sin_port);
  if (bound.storage.ss_family == AF_INET6) port = ntohs(reinterpret_cast<sockaddr_in6*>(&bound.storage)->sin6_port);
  return {std::move(socket), port};
}

Listener listen_on_loopback(std::uint16_t port) { return listen_on(loopback_address(port)); }

std::optional<Socket> accept_from(const Socket& listener) {
  const int fd = ::accept4(listener.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd < 0) return std::nullopt;
  set_flag(fd, IPPROTO_TCP, TCP_NODELAY);
  return Socket(fd);
}

Socket keep_receive_stamps_on() {
  Socket socket = new_socket(AF_INET, SOCK_DGRAM);
  set_flag(socket.fd(), SOL_SOCKET, SO_TIMESTAMPNS);
  return socket;
}

std::uint64_t raise_open_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  const rlim_t before = limit.rlim_cur;
  limit.rlim_cur = limit.rlim_max;
  return ::setrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : before;
}

std::string error_text(int error) { return std::strerror(error); }

}  // namespace loadline
