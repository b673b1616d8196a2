#pragma once
// For tests of this room: an HTTP server on loopback whose answers a function decides. One request a
// connection, one connection at a time, on a thread of its own.

#include <poll.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "net/socket.h"

namespace loadline {

struct ScriptedRequest {
  std::string method, path, head, body;
};

class ScriptedServer {
 public:
  /// `answer` returns the raw bytes of the response; "" closes without any.
  using Answer = std::function<std::string(const ScriptedRequest&)>;

  explicit ScriptedServer(Answer answer)
      : answer_(std::move(answer)), listener_(listen_on_loopback()), thread_([this] { serve(); }) {}
  ~ScriptedServer() {
    stopping_ = true;
    thread_.join();
  }

  std::string url() const { return "http://127.0.0.1:" + std::to_string(listener_.port); }
  std::vector<ScriptedRequest> requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

  static std::string json(int status, const std::string& body, const std::string& headers = "") {
    return "HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Type: application/json\r\n" + headers +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }
  static std::string stream(const std::string& events) {
    return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n" + events;
  }

 private:
  bool readable(const Socket& socket) {
    for (int waited_ms = 0; waited_ms < 10'000 && !stopping_; waited_ms += 20) {
      pollfd wanted{socket.fd(), POLLIN, 0};
      if (::poll(&wanted, 1, 20) > 0) return true;
    }
    return false;
  }

  void serve() {
    while (!stopping_) {
      if (!readable(listener_.socket)) continue;
      if (auto socket = accept_from(listener_.socket)) answer_one(*socket);
    }
  }

  void answer_one(Socket& socket) {
    std::string bytes;
    char buffer[65536];
    while (!whole(bytes)) {
      if (!readable(socket)) return;
      const IoResult result = socket.read(buffer);
      if (result.state == Io::closed || result.state == Io::failed) return;
      bytes.append(buffer, result.bytes);
    }
    const std::string answer = answer_(keep(bytes));
    std::string_view left = answer;
    while (!left.empty()) {
      const IoResult result = socket.write(left);
      if (result.state == Io::failed) return;
      left.remove_prefix(result.bytes);
      if (result.state == Io::would_block) std::this_thread::yield();
    }
    socket.shut_write();
    // Closing at once could reset bytes that the client has not read.
    while (readable(socket) && socket.read(buffer).state == Io::done) {
    }
  }

  static bool whole(const std::string& bytes) {
    const std::size_t head_end = bytes.find("\r\n\r\n");
    if (head_end == bytes.npos) return false;
    const std::size_t at = bytes.find("Content-Length: ");
    const std::size_t length = at < head_end ? std::stoul(bytes.substr(at + 16)) : 0;
    return bytes.size() >= head_end + 4 + length;
  }

  ScriptedRequest keep(const std::string& bytes) {
    const std::size_t head_end = bytes.find("\r\n\r\n"), first = bytes.find(' '), second = bytes.find(' ', first + 1);
    ScriptedRequest request{bytes.substr(0, first), bytes.substr(first + 1, second - first - 1),
                            bytes.substr(0, head_end + 2), bytes.substr(head_end + 4)};
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
    return request;
  }

  Answer answer_;
  Listener listener_;
  std::mutex mutex_;
  std::vector<ScriptedRequest> requests_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace loadline
