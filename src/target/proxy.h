#pragma once
// The HTTP proxy that the environment names for a URL, by the rules of curl: http_proxy or https_proxy, else all_proxy,
// in lower case, then in upper case (but not HTTP_PROXY, which a web server sets to what its clients say), and
// no_proxy. Unlike curl's: a server on this machine is never asked through a proxy, which could not reach it. Pure.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "target/url.h"

namespace loadline {

struct Proxy {
  std::string host;                    ///< a name, an IPv4 literal, or an IPv6 literal without brackets
  std::uint16_t port = 1080;           ///< as curl has it
  std::string authorization;           ///< the value of Proxy-Authorization; empty: none. A secret
  std::vector<std::string> secrets{};  ///< what must not be shown: the password, and both as they are sent
  std::string variable;                ///< that named it: "https_proxy"

  /// "proxy.example:3128", "[::1]:3128".
  std::string text() const;
};

/// The value of an environment variable; null: not set.
using Environment = std::function<const char*(const char*)>;

/// None: the server is asked directly. Error naming the variable where its value is no http:// proxy.
std::optional<Proxy> proxy_for(const Url& url, const Environment& environment);

/// Whether no_proxy's value `list` names `host`: "*"; a name with all below it ("example.org", ".example.org"); an
/// address; a network ("10.0.0.0/8", "fd00::/8"). Names are not looked up.
bool is_exempt(std::string_view host, std::string_view list);

}  // namespace loadline
