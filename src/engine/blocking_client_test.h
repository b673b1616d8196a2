#pragma once
// A plain client for the tests of the engine's servers: it knows nothing but sockets and HTTP's framing.

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "wire/http_response.h"

namespace loadline {

struct Answer {
  std::uint16_t status = 0;
  std::string body, content_type;
  bool kept = false;  ///< the connection carries another request
  nlohmann::json parsed() const { return nlohmann::json::parse(body); }
};

/// A plain blocking client; every wait ends after ten seconds.
class BlockingClient {
 public:
  explicit BlockingClient(std::uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const timeval limit{10, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  ~BlockingClient() { close(); }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      ASSERT_GT(n, 0);
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
  }
  Answer receive() {
    HttpResponse response;
    Answer answer;
    while (!response.complete() && !response.failed()) {
      if (unread_.empty() && !fill()) break;
      std::string_view bytes = unread_;
      answer.body += response.feed(bytes);
      unread_.erase(0, unread_.size() - bytes.size());
    }
    EXPECT_TRUE(response.complete()) << response.problem();
    answer.status = response.head().status;
    answer.content_type = response.head().content_type;
    answer.kept = response.reusable();
    return answer;
  }
  Answer get(std::string_view path) {
    send(fmt::format("GET {} HTTP/1.1\r\nHost: x\r\n\r\n", path));
    return receive();
  }
  static std::string post_bytes(std::string_view path, std::string_view body, std::string_view headers = "") {
    return fmt::format("POST {} HTTP/1.1\r\nHost: x\r\n{}Content-Length: {}\r\n\r\n{}", path, headers, body.size(),
                       body);
  }
  Answer post(std::string_view path, std::string_view body, std::string_view headers = "") {
    send(post_bytes(path, body, headers));
    return receive();
  }
  /// True when the peer has closed its side.
  bool at_end() { return unread_.empty() && !fill(); }

 private:
  bool fill() {
    char buffer[65536];
    const ssize_t n = ::recv(fd_, buffer, sizeof buffer, 0);
    if (n <= 0) return false;
    unread_.append(buffer, static_cast<std::size_t>(n));
    return true;
  }
  int fd_;
  std::string unread_;
};

inline std::vector<std::string> events_of(const std::string& body) {
  std::vector<std::string> events;
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t end = body.find("\n\n", at);
    EXPECT_EQ(body.substr(at, 6), "data: ");
    if (end == body.npos) break;
    events.push_back(body.substr(at + 6, end - at - 6));
    at = end + 2;
  }
  return events;
}

}  // namespace loadline
