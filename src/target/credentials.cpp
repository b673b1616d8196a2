#include "target/credentials.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/error.h"
#include "wire/http_request.h"

namespace loadline {
namespace {

/// Shorter values ("1", "true") are no secrets, and hiding them would garble every text.
constexpr std::size_t shortest_secret = 6;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool is_authorization(std::string_view header_name) {
  constexpr std::string_view wanted = "authorization";
  return std::ranges::equal(header_name, wanted, {},
                            [](char c) { return std::tolower(static_cast<unsigned char>(c)); });
}

}  // namespace

Credentials::Credentials(std::string_view api_key, const std::vector<std::string>& headers) {
  bool authorized = false;
  for (const std::string& line : headers) {
    const std::size_t colon = line.find(':');
    const std::string_view header_name = trimmed(std::string_view(line).substr(0, colon));
    if (colon == line.npos || header_name.empty()) {
      // The line may be a bare key: it is not repeated.
      throw Error("--header: a header has no colon; write --header 'Name: value'");
    }
    const std::string_view value = trimmed(std::string_view(line).substr(colon + 1));
    append_header(header_lines_, header_name, value);
    secrets_.emplace_back(value);
    if (const std::size_t blank = value.rfind(' '); blank != value.npos)
      secrets_.emplace_back(value.substr(blank + 1));
    authorized = authorized || is_authorization(header_name);
  }
  if (api_key.empty()) return;
  secrets_.emplace_back(api_key);
  if (!authorized) append_header(header_lines_, "Authorization", fmt::format("Bearer {}", api_key));
}

std::string Credentials::scrubbed(std::string text) const {
  for (const std::string& secret : secrets_) {
    if (secret.size() < shortest_secret) continue;
    for (std::size_t at = text.find(secret); at != text.npos; at = text.find(secret, at))
      text.replace(at, secret.size(), "***");
  }
  return text;
}

}  // namespace loadline
