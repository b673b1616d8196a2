#include "net/tunnel.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {

std::string connect_request(const Tunnel& tunnel) {
  std::string request = fmt::format("CONNECT {0} HTTP/1.1\r\nHost: {0}\r\nUser-Agent: loadline/{1}\r\n",
                                    tunnel.destination, LOADLINE_VERSION);
  if (!tunnel.authorization.empty()) request += "Proxy-Authorization: " + tunnel.authorization + "\r\n";
  return request + "\r\n";
}

void TunnelAnswer::refuse(std::string words) {
  state_ = State::refused;
  words_ = std::move(words);
  words_.resize(std::min<std::size_t>(words_.size(), 200));
  std::ranges::replace_if(words_, [](char c) { return c < ' ' || c > '~'; }, '?');
}

void TunnelAnswer::feed(std::string_view& bytes) {
  while (!bytes.empty() && state_ == State::reading) {
    head_ += bytes.front();
    bytes.remove_prefix(1);
    if (head_.ends_with("\n\r\n") || head_.ends_with("\n\n")) {
      on_head();
    } else if (head_.size() >= head_limit) {
      refuse("with a head over 64 KiB");
    }
  }
}

/// "HTTP/1.1 200 Connection established": any 2xx opens the tunnel, whatever else the head says.
void TunnelAnswer::on_head() {
  const std::string line = head_.substr(0, head_.find_first_of("\r\n"));
  head_.clear();
  if (!line.starts_with("HTTP/1.") || line.size() < 12 || line[8] != ' ') {
    return refuse("with something that is not HTTP/1.x");
  }
  const char hundreds = line[9];
  if (hundreds == '1') return;  // interim: the answer follows
  if (hundreds != '2') return refuse(line.substr(9));
  state_ = State::opened;
}

}  // namespace loadline
