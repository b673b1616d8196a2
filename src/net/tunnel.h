#pragma once
// The way through an HTTP proxy to one host and port, opened with CONNECT (RFC 9110, 9.3.6) before anything else is
// said. Pure: bytes in and out, no socket. Of HTTP it knows only the head of the proxy's answer.

#include <cstddef>
#include <string>
#include <string_view>

namespace loadline {

struct Tunnel {
  std::string destination;    ///< "example.org:443": where the proxy shall connect to
  std::string proxy;          ///< "proxy.example:3128": for messages
  std::string authorization;  ///< the value of Proxy-Authorization; empty: none. A secret
};

std::string connect_request(const Tunnel& tunnel);

/// What the proxy says to it, in any fragmentation.
class TunnelAnswer {
 public:
  /// Takes bytes off the front of `bytes`, at most to the end of the answer's head: what follows is the server's.
  void feed(std::string_view& bytes);

  /// Bytes are the server's and ours from here on.
  bool opened() const { return state_ == State::opened; }
  bool refused() const { return state_ == State::refused; }
  /// What the proxy said, such as "407 Proxy Authentication Required"; only where `refused`. Printable ASCII,
  /// at most 200 characters.
  const std::string& words() const { return words_; }

  static constexpr std::size_t head_limit = 64 * 1024;

 private:
  enum class State : std::uint8_t { reading, opened, refused };

  void on_head();
  void refuse(std::string words);

  State state_ = State::reading;
  std::string head_;
  std::string words_;
};

}  // namespace loadline
