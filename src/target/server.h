#pragma once
// A server and the way to it: what connections and requests need, for probes and for the load alike.

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/address.h"
#include "net/tls.h"
#include "net/tunnel.h"
#include "target/proxy.h"
#include "target/url.h"

namespace loadline {

/// A server and what every request to it carries.
struct Server {
  Url url;
  std::string headers;                 ///< whole lines, each ending in CRLF; may hold a key: never shown, never stored
  TlsSettings tls;                     ///< server_name is set; the server is verified unless `insecure`
  std::vector<std::string> secrets{};  ///< in `headers`: to be hidden in what the server says (core/secrets.h)
  bool http2 = false;                  ///< spoken by both sides from the first byte; set by speak_http2
  std::optional<Proxy> proxy{};        ///< on the way; its secrets are among `secrets`
  /// Where to connect to, looked up once: a run measures one place. Empty: looked up at each call.
  std::vector<Address> addresses{};
  const std::atomic<bool>* stop = nullptr;  ///< set by whoever does not want to wait any more; outlives the server
};

/// From now on in HTTP/2, and offering nothing else.
void speak_http2(Server& server);
/// Looks up where to connect to: the server's addresses, or the proxy's. Error (unusable_target) where there is none.
std::vector<Address> look_up(const Server& server);
/// Through the proxy by CONNECT, but for plain HTTP/1.1, which the proxy reads itself.
std::optional<Tunnel> tunnel_of(const Server& server);
/// What a request line asks for: the path, or the whole URL where a proxy reads the request.
std::string request_target(const Server& server, std::string_view path);
/// `server.headers`, and what a proxy that reads the request wants to know.
std::string request_headers(const Server& server);

}  // namespace loadline
