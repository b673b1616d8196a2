#pragma once
// IP addresses as people write them, and networks of them. Pure.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace loadline {

struct IpAddress {
  std::array<unsigned char, 16> bytes{};  ///< in network order
  unsigned bits = 0;                      ///< of `bytes`: 32 or 128
};

/// "10.0.0.1", "::1", "[::1]"; nothing where the text is a name.
std::optional<IpAddress> ip_literal(std::string_view text);

/// Whether `network`, an address or a network in CIDR notation ("10.0.0.0/8", "fd00::/8"), holds it; false where it is
/// neither.
bool network_holds(std::string_view network, const IpAddress& address);

}  // namespace loadline
