#include "net/connection.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>

#include "core/error.h"

namespace loadline {
namespace {

constexpr std::size_t most_kept_room = 1024;  ///< bytes

}  // namespace

Connection::Connection(const Address& address, const TlsContext* tls, const Tunnel* tunnel, const Address* source)
    : tunnel_(tunnel), source_(source) {
  int error = 0;
  socket_ = start_connect(address, error, source);
  if (!socket_.is_open()) {
    fail_connect(error);
  } else if (tls != nullptr) {
    tls_.emplace(*tls);
  }
}

const std::string& Connection::problem() const {
  static const std::string none;
  return problem_ ? *problem_ : none;
}

void Connection::fail(std::string problem) {
  state_ = State::failed;
  if (!problem_) problem_ = std::make_unique<std::string>(std::move(problem));
}

void Connection::fail_connect(int error) {
  lacked_resources_ =
      error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM || error == EADDRNOTAVAIL;
  std::string way;
  if (source_ != nullptr) way += fmt::format(" from {}", source_->text_without_port());
  if (tunnel_ != nullptr) way += fmt::format(" to the proxy {}", tunnel_->proxy);
  const char* advice = error == EADDRNOTAVAIL ? ": no port is left; give more addresses with --source-address" : "";
  fail(fmt::format("cannot connect{}: {}{}", way, error_text(error), advice));
}

void Connection::progress() {
  if (state_ == State::connecting) {
    if (!socket_.connect_decided()) return;
    const int error = socket_.connect_error();
    if (error != 0) return fail_connect(error);
    on_connected();
  }
  if (state_ == State::tunnelling) read_tunnel();
  if (state_ == State::handshaking) {
    char buffer[read_size];
    read_tls(buffer);  // no application byte can come before our request
  }
  if (state_ != State::failed) flush();
}

void Connection::on_connected() {
  if (tunnel_ == nullptr) return on_way_open();
  state_ = State::tunnelling;
  tunnel_answer_ = std::make_unique<TunnelAnswer>();
  unsent_ = connect_request(*tunnel_);
}

/// Bytes go to the server and come from it: directly, or through the tunnel.
void Connection::on_way_open() {
  state_ = State::open;
  if (!tls_) return;
  state_ = State::handshaking;
  tls_->take_ciphertext(unsent_);
}

/// Byte by byte: what follows the proxy's answer is the server's, and must stay in the socket.
void Connection::read_tunnel() {
  while (state_ == State::tunnelling) {
    char byte = 0;
    const IoResult result = socket_.read({&byte, 1});
    if (result.state == Io::would_block) return;
    if (result.state == Io::failed)
      return fail(fmt::format("the proxy {}: {}", tunnel_->proxy, error_text(result.error)));
    if (result.state == Io::closed) return fail(fmt::format("the proxy {} closed the connection", tunnel_->proxy));
    std::string_view bytes(&byte, 1);
    tunnel_answer_->feed(bytes);
    if (tunnel_answer_->refused()) {
      return fail(fmt::format("the proxy {} answered {} when asked for {}", tunnel_->proxy, tunnel_answer_->words(),
                              tunnel_->destination));
    }
    if (!tunnel_answer_->opened()) continue;
    tunnel_answer_.reset();
    on_way_open();
  }
}

void Connection::flush() {
  while (handed_of_unsent_ < unsent_.size()) {
    const IoResult result = socket_.write(std::string_view(unsent_).substr(handed_of_unsent_));
    if (result.state == Io::failed) return fail(error_text(result.error));
    if (result.state != Io::done) return;
    bytes_handed_ += result.bytes;
    handed_of_unsent_ += result.bytes;
  }
  handed_of_unsent_ = 0;
  // Thousands of connections each with the room of their longest prompt would be gigabytes.
  if (unsent_.capacity() > most_kept_room) std::string().swap(unsent_);
  unsent_.clear();
}

void Connection::send(std::string_view first, std::string_view second) {
  check(state_ == State::open, "only an open connection sends");
  if (tls_) {
    tls_->write(first);
    tls_->write(second);
    tls_->take_ciphertext(unsent_);
    return flush();
  }
  if (!wants_write()) {
    const IoResult result = socket_.write(first, second);
    if (result.state == Io::failed) return fail(error_text(result.error));
    bytes_handed_ += result.bytes;
    const std::size_t of_first = std::min(result.bytes, first.size());
    second.remove_prefix(result.bytes - of_first);
    first.remove_prefix(of_first);
  }
  unsent_.append(first).append(second);
}

IoResult Connection::read(std::span<char> buffer) {
  check(buffer.size() >= read_size, "the read buffer is large enough");
  if (tls_) return read_tls(buffer);
  const IoResult result = socket_.read(buffer);
  if (result.state == Io::failed) problem_ = std::make_unique<std::string>(error_text(result.error));
  return result;
}

IoResult Connection::read_tls(std::span<char> buffer) {
  // Half of the buffer's size of ciphertext decrypts to less than the buffer, one held-back record included.
  char ciphertext[read_size / 2];
  IoResult result = socket_.read(ciphertext);
  if (result.state == Io::failed) fail(error_text(result.error));
  if (result.state == Io::closed && state_ == State::handshaking) fail("the server closed during the TLS handshake");
  if (result.state != Io::done) return result;
  tls_->give_ciphertext({ciphertext, result.bytes});
  result.bytes = tls_->read(buffer);
  tls_->take_ciphertext(unsent_);  // handshake flights, key updates
  flush();
  if (state_ == State::handshaking && tls_->established()) state_ = State::open;
  if (tls_->failed()) {
    problem_.reset();  // a write may have failed first: what the server said before it closed tells more
    fail(tls_->problem());
  }
  if (result.bytes > 0) return result;
  if (tls_->failed()) return {Io::failed, 0, 0, {}};
  if (tls_->peer_closed()) return {Io::closed, 0, 0, {}};
  return {Io::would_block, 0, 0, {}};
}

}  // namespace loadline
