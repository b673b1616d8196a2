#include "target/credentials.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.h"
#include "core/secrets.h"
#include "wire/http_request.h"
#include "wire/http_words.h"

namespace loadline {
namespace {

/// Of the framing of requests and answers, and of their kind: `wire` writes them, or cannot read what they ask for.
constexpr std::array<std::string_view, 11> owned_headers = {
    "host",       "content-length", "content-type", "content-encoding", "transfer-encoding", "connection",
    "keep-alive", "upgrade",        "te",           "expect",           "accept-encoding"};

void refuse_owned(std::string_view header_name, std::string_view lower_name) {
  if (std::ranges::find(owned_headers, lower_name) == owned_headers.end()) return;
  throw Error(fmt::format("--header: {} is set by loadline itself, for every request; leave it out", header_name));
}

}  // namespace

Credentials::Credentials(std::string_view api_key, const std::vector<std::string>& headers,
                         const EndpointHeaders& endpoint) {
  bool authorized = false, versioned = endpoint.name.empty();
  for (const std::string& line : headers) {
    const std::size_t colon = line.find(':');
    const std::string_view header_name = without_blanks(std::string_view(line).substr(0, colon));
    if (colon == line.npos || header_name.empty()) {
      // The line may be a bare key: it is not repeated.
      throw Error("--header: a header has no colon; write --header 'Name: value'");
    }
    const std::string lower_name = ascii_lower(header_name);
    refuse_owned(header_name, lower_name);
    const std::string_view value = without_blanks(std::string_view(line).substr(colon + 1));
    append_header(header_lines_, header_name, value);
    secrets_.emplace_back(value);
    if (const std::size_t blank = value.rfind(' '); blank != value.npos) secrets_.emplace_back(value.substr(blank + 1));
    authorized = authorized || lower_name == "authorization" || lower_name == endpoint.key;
    versioned = versioned || lower_name == endpoint.name;
  }
  if (!versioned) append_header(header_lines_, endpoint.name, endpoint.value);
  if (api_key.empty()) return;
  secrets_.emplace_back(api_key);
  if (authorized) return;
  append_header(header_lines_, "Authorization", fmt::format("Bearer {}", api_key));
  if (!endpoint.key.empty()) append_header(header_lines_, endpoint.key, api_key);
}

std::string Credentials::scrubbed(std::string text) const { return without_secrets(std::move(text), secrets_); }

}  // namespace loadline
