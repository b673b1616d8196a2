#include "net/ip_literal.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <string>

namespace loadline {
namespace {

bool share_beginning(const IpAddress& a, const IpAddress& b, unsigned bits) {
  if (a.bits != b.bits || bits > a.bits) return false;
  const std::size_t whole = bits / 8;
  if (!std::equal(a.bytes.begin(), a.bytes.begin() + static_cast<std::ptrdiff_t>(whole), b.bytes.begin())) return false;
  const unsigned rest = bits % 8;
  return rest == 0 || ((a.bytes[whole] ^ b.bytes[whole]) >> (8 - rest)) == 0;
}

}  // namespace

std::optional<IpAddress> ip_literal(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  const std::string literal(text);
  IpAddress address;
  if (inet_pton(AF_INET, literal.c_str(), address.bytes.data()) == 1) {
    address.bits = 32;
  } else if (inet_pton(AF_INET6, literal.c_str(), address.bytes.data()) == 1) {
    address.bits = 128;
  } else {
    return std::nullopt;
  }
  return address;
}

bool network_holds(std::string_view network, const IpAddress& address) {
  const std::size_t slash = network.find('/');
  const std::optional<IpAddress> start = ip_literal(network.substr(0, slash));
  if (!start) return false;
  if (slash == network.npos) return share_beginning(*start, address, start->bits);
  const std::string_view digits = network.substr(slash + 1);
  unsigned bits = 0;
  const auto [end, trouble] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  const bool is_number = trouble == std::errc() && end == digits.data() + digits.size() && !digits.empty();
  return is_number && share_beginning(*start, address, bits);
}

}  // namespace loadline
