#include "engine/http_connection.h"

#include <array>

namespace loadline {
namespace {
constexpr std::size_t most_unread = 1 << 20;
}

bool HttpConnection::read() {
  std::array<char, 64 * 1024> buffer;
  while (true) {
    const IoResult result = socket_.read(buffer);
    if (result.state == Io::would_block) return true;
    if (result.state != Io::done) return false;
    if (shut_) continue;
    unread_.append(buffer.data(), result.bytes);
    if (answer || closing_) {
      if (unread_.size() > most_unread) return false;
    } else {
      // Parsed as it comes: a large body is kept once.
      std::string_view bytes = unread_;
      while (!bytes.empty() && !request_.complete() && !request_.failed()) request_.feed(bytes);
      unread_.erase(0, unread_.size() - bytes.size());
      if (request_.complete() || request_.failed()) return true;
    }
    if (result.bytes < buffer.size()) return true;
  }
}

bool HttpConnection::take_request() {
  std::string_view bytes = unread_;
  while (!bytes.empty() && !request_.complete() && !request_.failed()) request_.feed(bytes);
  unread_.erase(0, unread_.size() - bytes.size());
  if (request_.complete() || request_.failed()) return true;
  if (request_.head_complete() && request_.head().expects_continue && !continued_) {
    continued_ = true;
    // Should the socket not take these few bytes, the client sends its body after a while without them.
    socket_.write("HTTP/1.1 100 Continue\r\n\r\n");
  }
  return false;
}

void HttpConnection::finish_request() {
  answer.reset();
  ending = continued_ = false;
  request_.reset();
  shut_when_sent();
}

bool HttpConnection::send(std::string_view bytes, Poller& poller) {
  if (!unsent_.empty()) {
    unsent_.append(bytes);
    return true;
  }
  const IoResult result = socket_.write(bytes);
  if (result.state == Io::failed || result.state == Io::closed) return false;
  if (result.bytes == bytes.size()) return true;
  unsent_.assign(bytes.substr(result.bytes));
  poller.modify(socket_.fd(), key_, {.read = true, .write = true});
  return true;
}

bool HttpConnection::flush(Poller& poller) {
  const IoResult result = unsent_.empty() ? IoResult{} : socket_.write(unsent_);
  if (result.state == Io::failed || result.state == Io::closed) return false;
  unsent_.erase(0, result.bytes);
  if (!unsent_.empty()) return true;
  poller.modify(socket_.fd(), key_, {.read = true, .write = false});
  shut_when_sent();
  return true;
}

void HttpConnection::shut_when_sent() {
  if (!closing_ || shut_ || answer || !unsent_.empty()) return;
  shut_ = true;
  socket_.shut_write();
}

}  // namespace loadline
