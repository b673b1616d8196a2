#include "trace/embedded_json.h"

#include <openssl/evp.h>

#include <algorithm>
#include <utility>

#include "trace/numbers.h"

namespace loadline {
namespace {

constexpr std::string_view event_start = "data:";

bool is_plain(std::string_view text) {
  return text.starts_with('{') || text.starts_with(event_start) || text.starts_with("event:") ||
         text.starts_with("id:") || text.starts_with(':');
}

/// Whether `text` can be base64 at all; told without reading it to the end.
bool may_be_base64(std::string_view text) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '/' ||
           c == '=';
  };
  return text.size() >= 4 && text.size() % 4 == 0 && text.size() < std::size_t{1} << 30 &&
         std::all_of(text.begin(), text.begin() + 4, letter);
}

/// "" where `text` is no base64.
std::string decode_base64(std::string_view text) {
  std::string decoded(text.size() / 4 * 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(decoded.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  if (size < 0) return {};
  const auto filled = std::count(text.end() - 2, text.end(), '=');
  decoded.resize(static_cast<std::size_t>(size - filled));
  return decoded;
}

}  // namespace

std::string_view EmbeddedJson::plain_text(std::string_view text) {
  text = trimmed(text);
  if (is_plain(text)) return text;
  if (!may_be_base64(text)) return {};
  decoded_ = decode_base64(text);
  const std::string_view decoded = trimmed(decoded_);
  return is_plain(decoded) ? decoded : std::string_view();
}

std::string_view EmbeddedJson::next_object(std::string_view& rest) {
  std::string_view json;
  if (rest.starts_with('{')) {
    json = std::exchange(rest, {});
  } else {
    while (!rest.empty() && json.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      std::string_view line = trimmed(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (!line.starts_with(event_start)) continue;
      line = trimmed(line.substr(event_start.size()));
      if (line.starts_with('{')) json = line;  // "[DONE]" is no object
    }
  }
  if (json.empty()) return {};
  padded_.assign(json);
  padded_.append(simdjson::SIMDJSON_PADDING, ' ');
  return std::string_view(padded_).substr(0, json.size());
}

}  // namespace loadline
