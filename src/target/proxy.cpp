#include "target/proxy.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "net/ip_literal.h"
#include "wire/http_words.h"

namespace loadline {
namespace {

/// "example.org" holds itself and "api.example.org", not "badexample.org".
bool holds_name(std::string_view rule, std::string_view name) {
  if (rule.starts_with('.')) rule.remove_prefix(1);
  if (rule.ends_with('.')) rule.remove_suffix(1);
  if (rule.empty() || rule.size() > name.size() || !same_word(name.substr(name.size() - rule.size()), rule))
    return false;
  return rule.size() == name.size() || name[name.size() - rule.size() - 1] == '.';
}

bool is_on_this_machine(std::string_view host) {
  return is_exempt(host, "localhost,127.0.0.0/8,::1,::ffff:127.0.0.0/104");
}

struct Named {
  std::string variable, value;
};

/// The first of these variables that is set to something.
std::optional<Named> first_set(std::initializer_list<const char*> variables, const Environment& environment) {
  for (const char* variable : variables) {
    const char* value = environment(variable);
    if (value != nullptr && *value != '\0') return Named{variable, std::string(without_blanks(value))};
  }
  return std::nullopt;
}

std::string without_percents(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::optional<std::uint64_t> byte =
        text[i] == '%' && i + 2 < text.size() ? whole_number(text.substr(i + 1, 2), 16) : std::nullopt;
    plain += byte ? static_cast<char>(*byte) : text[i];
    if (byte) i += 2;
  }
  return plain;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k > bytes.size() ? '=' : digits[group >> (18 - 6 * k) & 63];
    }
  }
  return text;
}

/// "user:password", both with percents where they need them.
void set_authorization(std::string_view user_and_password, Proxy& proxy) {
  const std::size_t colon = user_and_password.find(':');
  const std::string user = without_percents(user_and_password.substr(0, colon));
  const std::string password =
      colon == user_and_password.npos ? "" : without_percents(user_and_password.substr(colon + 1));
  const std::string both = base64(user + ":" + password);
  proxy.authorization = "Basic " + both;
  proxy.secrets = {both, user + ":" + password, password};
}

[[noreturn]] void refuse(const Named& named, const char* why) {
  throw Error(fmt::format("{}={}: {}; write http://HOST:PORT, or name the server's host in no_proxy", named.variable,
                          redact_url(named.value), why));
}

void set_host_and_port(std::string_view authority, const Named& named, Proxy& proxy) {
  const std::size_t bracket = authority.starts_with('[') ? authority.find(']') : 0;
  if (bracket == authority.npos) refuse(named, "the IPv6 address has no closing bracket");
  const std::size_t colon = authority.find(':', bracket);
  proxy.host = authority.substr(0, colon);
  if (bracket > 0) proxy.host = proxy.host.substr(1, proxy.host.size() - 2);
  if (proxy.host.empty()) refuse(named, "the proxy's host is missing");
  if (colon == authority.npos) return;
  const std::optional<std::uint64_t> port = whole_number(authority.substr(colon + 1), 10);
  if (!port || *port == 0 || *port > 65535) refuse(named, "the proxy's port must be a number from 1 to 65535");
  proxy.port = static_cast<std::uint16_t>(*port);
}

Proxy parse_proxy(const Named& named) {
  std::string_view rest = named.value;
  if (const std::size_t end = rest.find("://"); end != rest.npos) {
    const std::string_view scheme = rest.substr(0, end);
    if (same_word(scheme, "https")) refuse(named, "a proxy that is itself reached over TLS cannot be used");
    if (!same_word(scheme, "http")) refuse(named, "only http:// proxies can be used");
    rest.remove_prefix(end + 3);
  }
  rest = rest.substr(0, rest.find_first_of("/?#"));
  Proxy proxy;
  proxy.variable = named.variable;
  if (const std::size_t at = rest.rfind('@'); at != rest.npos) {
    set_authorization(rest.substr(0, at), proxy);
    rest.remove_prefix(at + 1);
  }
  set_host_and_port(rest, named, proxy);
  return proxy;
}

}  // namespace

std::string Proxy::text() const {
  return host.find(':') == host.npos ? fmt::format("{}:{}", host, port) : fmt::format("[{}]:{}", host, port);
}

bool is_exempt(std::string_view host, std::string_view list) {
  if (host.ends_with('.')) host.remove_suffix(1);
  const std::optional<IpAddress> address = ip_literal(host);
  while (!list.empty()) {
    const std::size_t end = std::min(list.find_first_of(", \t"), list.size());
    const std::string_view rule = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    if (rule == "*" || (address ? network_holds(rule, *address) : holds_name(rule, host))) return true;
  }
  return false;
}

std::optional<Proxy> proxy_for(const Url& url, const Environment& environment) {
  if (!url.unix_path.empty() || is_on_this_machine(url.host)) return std::nullopt;
  std::optional<Named> named =
      url.tls ? first_set({"https_proxy", "HTTPS_PROXY"}, environment) : first_set({"http_proxy"}, environment);
  if (!named) named = first_set({"all_proxy", "ALL_PROXY"}, environment);
  if (!named) return std::nullopt;
  const std::optional<Named> exempt = first_set({"no_proxy", "NO_PROXY"}, environment);
  if (exempt && is_exempt(url.host, exempt->value)) return std::nullopt;
  return parse_proxy(*named);
}

}  // namespace loadline
