#pragma once
// Where a server is: the URL a user gives, taken apart once. Pure but for `addresses`.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "net/address.h"

namespace loadline {

/// http, https, or unix:/path/of/socket.
struct Url {
  bool tls = false;
  std::string unix_path;  ///< not empty: a Unix socket; host and port then mean nothing
  std::string host;       ///< a name, an IPv4 literal, or an IPv6 literal without brackets
  std::uint16_t port = 0;
  std::string api_base;   ///< path of the OpenAI routes: "/v1", "/openai/v1"
  std::string root_base;  ///< path of the engine's own routes: "", "/openai"

  /// "example.org:8000", "[::1]:8000", "localhost" for a Unix socket.
  std::string host_header() const;
  /// The same, always with its port.
  std::string authority() const;
  /// As shown to people; holds no secret.
  std::string text() const;
  /// Looked up anew at each call. Error (unusable_target) where the name has none.
  std::vector<Address> addresses() const;
};

/// The URL of a server with or without /v1 at its end (or with an endpoint's route). Error saying what to write
/// instead, without showing any secret: no scheme, another scheme, a user name or a password, a query.
Url parse_url(std::string_view text);

/// `text` with what stands before an '@' in its authority, and its query, hidden.
std::string redact_url(std::string_view text);

}  // namespace loadline
