#include "net/address.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/un.h>

#include <cstring>
#include <memory>

#include "core/error.h"
#include "net/socket.h"

namespace loadline {
namespace {

std::string without_brackets(const std::string& host) {
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') return host.substr(1, host.size() - 2);
  return host;
}

}  // namespace

std::string Address::text() const {
  if (is_unix()) return fmt::format("unix:{}", reinterpret_cast<const sockaddr_un*>(&storage)->sun_path);
  if (storage.ss_family == AF_INET6) {
    return fmt::format("[{}]:{}", text_without_port(),
                       ntohs(reinterpret_cast<const sockaddr_in6*>(&storage)->sin6_port));
  }
  return fmt::format("{}:{}", text_without_port(), ntohs(reinterpret_cast<const sockaddr_in*>(&storage)->sin_port));
}

std::string Address::text_without_port() const {
  if (is_unix()) return text();
  char buffer[INET6_ADDRSTRLEN] = {};
  if (storage.ss_family == AF_INET6) {
    inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6*>(&storage)->sin6_addr, buffer, sizeof buffer);
  } else {
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(&storage)->sin_addr, buffer, sizeof buffer);
  }
  return buffer;
}

std::vector<Address> resolve(const std::string& host, std::uint16_t port, std::string_view named_in) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int rc = getaddrinfo(without_brackets(host).c_str(), std::to_string(port).c_str(), &hints, &found);
  if (rc != 0) {
    throw Error(
        fmt::format("cannot find the address of '{}': {}; check the host in {}", host, gai_strerror(rc), named_in),
        ExitStatus::unusable_target);
  }
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(found, &freeaddrinfo);
  std::vector<Address> addresses;
  for (const addrinfo* entry = found; entry != nullptr; entry = entry->ai_next) {
    if (entry->ai_addrlen > sizeof(sockaddr_storage)) continue;
    Address address;
    std::memcpy(&address.storage, entry->ai_addr, entry->ai_addrlen);
    address.length = entry->ai_addrlen;
    addresses.push_back(address);
  }
  if (addresses.empty()) {
    throw Error(fmt::format("'{}' has no address to connect to; check the host in {}", host, named_in),
                ExitStatus::unusable_target);
  }
  return addresses;
}

Address source_address(const std::string& literal) {
  Address address;
  auto* in4 = reinterpret_cast<sockaddr_in*>(&address.storage);
  auto* in6 = reinterpret_cast<sockaddr_in6*>(&address.storage);
  if (inet_pton(AF_INET, literal.c_str(), &in4->sin_addr) == 1) {
    address.storage.ss_family = AF_INET;
    address.length = sizeof(sockaddr_in);
  } else if (inet_pton(AF_INET6, without_brackets(literal).c_str(), &in6->sin6_addr) == 1) {
    address.storage.ss_family = AF_INET6;
    address.length = sizeof(sockaddr_in6);
  } else {
    throw Error(fmt::format("--source-address {}: write an IPv4 or IPv6 address, such as 10.0.0.5", literal));
  }
  if (const int error = bind_error(address); error != 0) {
    throw Error(fmt::format("--source-address {}: {}; give an address that this machine has (ip address add)", literal,
                            error_text(error)));
  }
  return address;
}

Address unix_address(const std::string& path) {
  Address address;
  auto* local = reinterpret_cast<sockaddr_un*>(&address.storage);
  if (path.empty() || path.size() >= sizeof local->sun_path) {
    throw Error(
        fmt::format("the path of the Unix socket '{}' must have 1 to {} bytes", path, sizeof local->sun_path - 1));
  }
  local->sun_family = AF_UNIX;
  std::memcpy(local->sun_path, path.data(), path.size());
  address.length = sizeof(sockaddr_un);
  return address;
}

Address loopback_address(std::uint16_t port) {
  Address address;
  auto* in4 = reinterpret_cast<sockaddr_in*>(&address.storage);
  in4->sin_family = AF_INET;
  in4->sin_port = htons(port);
  in4->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.length = sizeof(sockaddr_in);
  return address;
}

}  // namespace loadline
