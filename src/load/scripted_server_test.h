#pragma once
// A server for tests: real sockets on loopback, one thread a connection, every answer scripted.

#include <poll.h>

#include <atomic>
#include <charconv>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "net/socket.h"

namespace loadline::scripted {

/// One connection, as a script sees it.
class Peer {
 public:
  explicit Peer(Socket socket, const std::atomic<bool>& stop) : socket_(std::move(socket)), stop_(stop) {}

  void send(std::string_view bytes) {
    while (!bytes.empty() && !stop_) {
      const IoResult result = socket_.write(bytes);
      if (result.state == Io::failed) return;
      if (result.state == Io::would_block) pause(1);
      bytes.remove_prefix(result.bytes);
    }
  }
  /// One event in a chunk of its own.
  void event(std::string_view data) { chunk("data: " + std::string(data) + "\n\n"); }
  void chunk(const std::string& text) {
    char size[24];
    const auto end = std::to_chars(size, size + sizeof size, text.size(), 16).ptr;
    send(std::string(size, end) + "\r\n" + text + "\r\n");
  }
  void stream_head() {
    send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
  }
  void end_stream() { send("0\r\n\r\n"); }
  void word() { event(R"({"choices":[{"text":"w"}]})"); }
  void plain(const std::string& status, const std::string& body, const std::string& headers = "") {
    send("HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\n" + headers +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  }
  void pause(int milliseconds) {
    for (int i = 0; i < milliseconds && !stop_; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  /// Until the client goes away or the test is over.
  void hang() {
    char bytes[256];
    while (!stop_) {
      const IoResult result = socket_.read(bytes);
      if (result.state == Io::closed || result.state == Io::failed) return;
      pause(1);
    }
  }
  void close() { socket_.close(); }
  void reset() {
    socket_.reset_on_close();
    socket_.close();
  }
  bool is_open() const { return socket_.is_open(); }

  /// The next whole request (head and body); empty when there is none any more.
  std::string next_request() {
    while (!stop_) {
      const std::size_t head_end = pending_.find("\r\n\r\n");
      if (head_end != std::string::npos) {
        const std::size_t at = pending_.find("Content-Length: ");
        std::size_t length = 0;
        if (at < head_end) std::from_chars(pending_.data() + at + 16, pending_.data() + head_end, length);
        const std::size_t whole = head_end + 4 + length;
        if (pending_.size() >= whole) {
          std::string request = pending_.substr(0, whole);
          pending_.erase(0, whole);
          return request;
        }
      }
      pollfd one{socket_.fd(), POLLIN, 0};
      ::poll(&one, 1, 20);
      char bytes[65536];
      const IoResult result = socket_.read(bytes);
      if (result.state == Io::closed || result.state == Io::failed) return {};
      pending_.append(bytes, result.bytes);
    }
    return {};
  }

 private:
  Socket socket_;
  const std::atomic<bool>& stop_;
  std::string pending_;
};

/// Answers request number i (from 0, in order of arrival) by the script. Keeps connections alive unless the script
/// closes them.
class Server {
 public:
  using Script = std::function<void(Peer&, int number, const std::string& request)>;

  explicit Server(Script script) : script_(std::move(script)), listener_(listen_on_loopback()) {
    acceptor_ = std::thread([this] { accept_all(); });
  }
  ~Server() {
    stop_ = true;
    acceptor_.join();
    for (std::thread& thread : threads_) thread.join();
  }
  std::uint16_t port() const { return listener_.port; }
  int connections() const { return connections_; }
  int requests() const { return numbers_; }
  /// From where connections came, and how many from each address.
  std::map<std::string, int> peers() {
    const std::lock_guard lock(mutex_);
    return peers_;
  }
  /// Largest number of requests being answered at the same time.
  int most_at_once() const { return most_at_once_; }

 private:
  void accept_all() {
    while (!stop_) {
      pollfd one{listener_.socket.fd(), POLLIN, 0};
      ::poll(&one, 1, 5);
      while (std::optional<Socket> socket = accept_from(listener_.socket)) {
        ++connections_;
        note_peer(*socket);
        threads_.emplace_back([this, s = std::move(*socket)]() mutable { serve(std::move(s)); });
      }
    }
  }
  void note_peer(const Socket& socket) {
    Address peer;
    peer.length = sizeof peer.storage;
    ::getpeername(socket.fd(), reinterpret_cast<sockaddr*>(&peer.storage), &peer.length);
    const std::lock_guard lock(mutex_);
    ++peers_[peer.text_without_port()];
  }
  void serve(Socket socket) {
    Peer peer(std::move(socket), stop_);
    while (peer.is_open()) {
      const std::string request = peer.next_request();
      if (request.empty()) return;
      const int now = ++at_once_;
      int most = most_at_once_;
      while (now > most && !most_at_once_.compare_exchange_weak(most, now)) {
      }
      // The count is taken back before the last byte can be seen: scripts end with it.
      script_(peer, numbers_++, request);
      --at_once_;
    }
  }

  Script script_;
  Listener listener_;
  std::atomic<bool> stop_{false};
  std::atomic<int> connections_{0}, numbers_{0}, at_once_{0}, most_at_once_{0};
  std::mutex mutex_;
  std::map<std::string, int> peers_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

}  // namespace loadline::scripted
