#include "net/connection.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>

#include "core/error.h"

namespace loadline {

Connection::Connection(const Address& address, const TlsContext* tls) {
  int error = 0;
  socket_ = start_connect(address, error);
  if (!socket_.is_open()) {
    fail_connect(error);
  } else if (tls != nullptr) {
    tls_.emplace(*tls);
  }
}

void Connection::fail(std::string problem) {
  state_ = State::failed;
  if (problem_.empty()) problem_ = std::move(problem);
}

void Connection::fail_connect(int error) {
  lacked_resources_ =
      error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM || error == EADDRNOTAVAIL;
  fail(fmt::format("cannot connect: {}", error_text(error)));
}

void Connection::progress() {
  if (state_ == State::connecting) {
    if (!socket_.connect_decided()) return;
    const int error = socket_.connect_error();
    if (error != 0) return fail_connect(error);
    on_connected();
  }
  if (state_ == State::handshaking) {
    char buffer[read_size];
    read_tls(buffer);  // no application byte can come before our request
  }
  if (state_ != State::failed) flush();
}

void Connection::on_connected() {
  state_ = State::open;
  if (!tls_) return;
  state_ = State::handshaking;
  tls_->take_ciphertext(unsent_);
}

void Connection::flush() {
  while (!unsent_.empty()) {
    const IoResult result = socket_.write(unsent_);
    if (result.state == Io::failed) return fail(error_text(result.error));
    if (result.state != Io::done) return;
    bytes_handed_ += result.bytes;
    unsent_.erase(0, result.bytes);
  }
}

void Connection::send(std::string_view first, std::string_view second) {
  check(state_ == State::open, "only an open connection sends");
  if (tls_) {
    tls_->write(first);
    tls_->write(second);
    tls_->take_ciphertext(unsent_);
    return flush();
  }
  if (unsent_.empty()) {
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
  if (result.state == Io::failed) problem_ = error_text(result.error);
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
  if (tls_->failed()) fail(tls_->problem());
  if (result.bytes > 0) return result;
  if (tls_->failed()) return {Io::failed, 0, 0, {}};
  if (tls_->peer_closed()) return {Io::closed, 0, 0, {}};
  return {Io::would_block, 0, 0, {}};
}

}  // namespace loadline
