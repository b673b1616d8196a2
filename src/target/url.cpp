#include "target/url.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "core/error.h"
#include "target/endpoint.h"

namespace loadline {
namespace {

constexpr std::string_view unix_scheme = "unix:";

bool plain_address_characters(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f; });
}

/// Takes an endpoint's route off the end: users paste it with the rest.
void cut_route(std::string& path) {
  for (const EndpointRow& row : endpoints()) {
    for (const std::string_view route : {row.path, row.whole_path}) {
      if (path.ends_with(route)) return path.resize(path.size() - route.size());
    }
  }
}

/// "/x/v1/chat/completions" and "/x/v1" -> "/x/v1", "/x" -> "/x/v1".
void set_paths(std::string path, Url& url) {
  while (path.ends_with('/')) path.pop_back();
  cut_route(path);
  const std::size_t slash = path.rfind('/');
  const std::string_view last = slash == path.npos ? std::string_view() : std::string_view(path).substr(slash + 1);
  const bool versioned = last.size() >= 2 && last[0] == 'v' && std::isdigit(static_cast<unsigned char>(last[1]));
  url.root_base = versioned ? path.substr(0, slash) : path;
  url.api_base = versioned ? path : path + "/v1";
}

std::uint16_t parsed_port(std::string_view digits, std::string_view shown) {
  unsigned port = 0;
  const auto [end, trouble] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (trouble != std::errc() || end != digits.data() + digits.size() || port == 0 || port > 65535) {
    throw Error(fmt::format("--url {}: the port must be a number from 1 to 65535", shown));
  }
  return static_cast<std::uint16_t>(port);
}

void set_authority(std::string_view authority, std::string_view shown, Url& url) {
  if (authority.starts_with('[')) {
    const std::size_t close = authority.find(']');
    if (close == authority.npos) throw Error(fmt::format("--url {}: the IPv6 address has no closing bracket", shown));
    url.host = authority.substr(1, close - 1);
    authority.remove_prefix(close + 1);
    if (!authority.empty() && authority.front() != ':') {
      throw Error(fmt::format("--url {}: only a port may follow the IPv6 address", shown));
    }
  } else {
    if (std::ranges::count(authority, ':') > 1) {
      throw Error(fmt::format("--url {}: write an IPv6 address in brackets, such as http://[::1]:8000", shown));
    }
    url.host = authority.substr(0, authority.find(':'));
    authority.remove_prefix(url.host.size());
  }
  if (url.host.empty()) throw Error(fmt::format("--url {}: the host is missing", shown));
  url.port = url.tls ? 443 : 80;
  if (!authority.empty()) url.port = parsed_port(authority.substr(1), shown);
}

Url unix_url(std::string_view path, std::string_view shown) {
  if (path.starts_with("//")) path.remove_prefix(2);
  if (path.empty() || path.front() != '/') {
    throw Error(fmt::format("--url {}: write the socket's whole path, such as unix:/run/engine.sock", shown));
  }
  Url url;
  url.unix_path = path;
  url.api_base = "/v1";
  return url;
}

/// An IPv6 literal as URLs have it.
std::string bracketed(const std::string& host) { return host.find(':') == host.npos ? host : "[" + host + "]"; }

}  // namespace

std::string Url::host_header() const {
  if (!unix_path.empty()) return "localhost";
  return port == (tls ? 443 : 80) ? bracketed(host) : authority();
}

std::string Url::authority() const { return fmt::format("{}:{}", bracketed(host), port); }

std::string Url::text() const {
  if (!unix_path.empty()) return "unix:" + unix_path;
  return fmt::format("{}://{}{}", tls ? "https" : "http", host_header(), root_base);
}

std::vector<Address> Url::addresses() const {
  if (!unix_path.empty()) return {unix_address(unix_path)};
  return resolve(host, port);
}

Url parse_url(std::string_view text) {
  const std::string shown = redact_url(text);
  if (text.starts_with(unix_scheme)) return unix_url(text.substr(unix_scheme.size()), shown);
  const std::size_t scheme_end = text.find("://");
  if (scheme_end == text.npos) {
    throw Error(fmt::format("--url {}: the scheme is missing; write http://, https:// or unix: before it", shown));
  }
  Url url;
  const std::string_view scheme = text.substr(0, scheme_end);
  if (scheme != "http" && scheme != "https") {
    throw Error(fmt::format("--url {}: only http://, https:// and unix: can be measured", shown));
  }
  url.tls = scheme == "https";
  std::string_view rest = text.substr(scheme_end + 3);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  rest.remove_prefix(authority.size());
  if (authority.find('@') != authority.npos) {
    throw Error(
        fmt::format("--url {}: a user name or a password in the URL would end up in reports; give the key "
                    "with --api-key or a header with --header",
                    shown));
  }
  if (rest.find_first_of("?#") != rest.npos) {
    throw Error(
        fmt::format("--url {}: write the URL without a query or a fragment; give keys with --api-key or "
                    "--header",
                    shown));
  }
  if (!plain_address_characters(text)) {
    throw Error(fmt::format("--url {}: blanks and characters beyond ASCII must be escaped", shown));
  }
  set_authority(authority, shown, url);
  set_paths(std::string(rest), url);
  return url;
}

std::string redact_url(std::string_view text) {
  const std::size_t scheme_end = text.find("://");
  const std::size_t start = scheme_end == text.npos ? 0 : scheme_end + 3;
  const std::size_t at = text.rfind('@');
  std::string shown(text.substr(0, start));
  if (at != text.npos && at >= start) {
    shown += "***@";
    text.remove_prefix(at + 1);
  } else {
    text.remove_prefix(start);
  }
  const std::size_t query = text.find('?');
  shown += text.substr(0, query);
  return query == text.npos ? shown : shown + "?***";
}

}  // namespace loadline
