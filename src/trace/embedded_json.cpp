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

/// Takes the next line of events off `rest` and gives its object, if it has one: "[DONE]" is none.
std::string_view take_event(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = trimmed(rest.substr(0, end));
  rest.remove_prefix(std::min(end + 1, rest.size()));
  if (!line.starts_with(event_start)) return {};
  const std::string_view data = trimmed(line.substr(event_start.size()));
  return data.starts_with('{') ? data : std::string_view();
}

}  // namespace

void EmbeddedJson::open(std::string_view text) {
  rest_ = trimmed(text);
  if (is_plain(rest_)) return;
  decoded_ = may_be_base64(rest_) ? decode_base64(rest_) : std::string();
  rest_ = trimmed(decoded_);
  if (!is_plain(rest_)) rest_ = {};
}

std::string_view EmbeddedJson::next() {
  std::string_view json;
  if (rest_.starts_with('{')) json = std::exchange(rest_, {});
  while (json.empty() && !rest_.empty()) json = take_event(rest_);
  padded_.assign(json);
  padded_.append(padding, ' ');
  return std::string_view(padded_).substr(0, json.size());
}

}  // namespace loadline
