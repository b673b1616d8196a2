#pragma once
// Where to connect: an address that needs no further lookup.

#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// An IPv4, IPv6 or Unix address, as the kernel takes it.
struct Address {
  sockaddr_storage storage{};
  socklen_t length = 0;

  bool is_unix() const { return storage.ss_family == AF_UNIX; }
  const sockaddr* raw() const { return reinterpret_cast<const sockaddr*>(&storage); }
  /// "127.0.0.1:8000", "[::1]:8000" or "unix:/path".
  std::string text() const;
  /// "127.0.0.1" or "::1".
  std::string text_without_port() const;
};

/// The addresses of `host` in the resolver's order, once per run: a run measures one place. `host` may be a
/// name, an IPv4 or an IPv6 literal (with or without brackets). Throws Error (unusable_target) when there is none,
/// saying that the host stands in `named_in`.
std::vector<Address> resolve(const std::string& host, std::uint16_t port, std::string_view named_in = "--url");

/// An address that connections may come from, port 0: an IPv4 or IPv6 literal that this machine has. Throws Error.
Address source_address(const std::string& literal);

/// A Unix socket's address. Throws Error when the path is empty or too long for the kernel (107 bytes).
Address unix_address(const std::string& path);

/// 127.0.0.1 with that port.
Address loopback_address(std::uint16_t port);

}  // namespace loadline
