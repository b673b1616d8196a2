#include "target/server.h"

#include <fmt/format.h>

namespace loadline {
namespace {

/// The proxy gets the request itself and not a tunnel (RFC 9112, 3.2.2).
bool is_read_by_proxy(const Server& server) { return server.proxy && !server.url.tls && !server.http2; }

}  // namespace

void speak_http2(Server& server) {
  server.http2 = true;
  server.tls.protocols = {"h2"};
}

std::vector<Address> look_up(const Server& server) {
  if (!server.proxy) return server.url.addresses();
  return resolve(server.proxy->host, server.proxy->port, server.proxy->variable);
}

std::optional<Tunnel> tunnel_of(const Server& server) {
  if (!server.proxy || is_read_by_proxy(server)) return std::nullopt;
  return Tunnel{server.url.authority(), server.proxy->text(), server.proxy->authorization};
}

std::string request_target(const Server& server, std::string_view path) {
  return is_read_by_proxy(server) ? fmt::format("http://{}{}", server.url.host_header(), path) : std::string(path);
}

std::string request_headers(const Server& server) {
  if (!is_read_by_proxy(server) || server.proxy->authorization.empty()) return server.headers;
  return server.headers + "Proxy-Authorization: " + server.proxy->authorization + "\r\n";
}

}  // namespace loadline
