#include "core/secrets.h"

#include <algorithm>
#include <string_view>

namespace loadline {
namespace {

/// The length of the longest beginning of `secret` that `text` ends with; 0 where that is too short to tell.
std::size_t cut_secret_at_end(std::string_view text, std::string_view secret) {
  for (std::size_t length = std::min(text.size(), secret.size()); length >= shortest_secret; --length) {
    if (text.ends_with(secret.substr(0, length))) return length;
  }
  return 0;
}

}  // namespace

std::string without_secrets(std::string text, const std::vector<std::string>& secrets) {
  if (text.empty()) return text;
  std::vector<std::string_view> longest_first;  // one may be a part of another
  for (const std::string& secret : secrets) {
    if (secret.size() >= shortest_secret) longest_first.push_back(secret);
  }
  std::ranges::stable_sort(longest_first, [](std::string_view a, std::string_view b) { return a.size() > b.size(); });
  for (const std::string_view secret : longest_first) {
    for (std::size_t at = text.find(secret); at != text.npos; at = text.find(secret, at)) {
      text.replace(at, secret.size(), "***");
    }
    if (const std::size_t cut = cut_secret_at_end(text, secret); cut > 0) text.replace(text.size() - cut, cut, "***");
  }
  return text;
}

}  // namespace loadline
