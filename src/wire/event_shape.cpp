#include "wire/event_shape.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace loadline {
namespace {

constexpr std::size_t most_digits = 18;

constexpr bool is_one_of(std::string_view key, const auto& keys) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}
constexpr std::array<std::string_view, 5> text_keys = {"id", "text", "content", "reasoning", "reasoning_content"};
constexpr std::array<std::string_view, 2> number_keys = {"created", "token_ids"};

/// Bytes that mean themselves inside a JSON string.
constexpr std::array<bool, 256> plain_bytes = [] {
  std::array<bool, 256> plain{};
  for (std::size_t byte = 0x20; byte < plain.size(); ++byte) plain[byte] = byte != '"' && byte != '\\';
  return plain;
}();
bool is_plain(char c) { return plain_bytes[static_cast<unsigned char>(c)]; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Of eight bytes at once, the top bit of each that is not plain (exact up to the first one).
std::uint64_t special_bits(std::uint64_t bytes) {
  constexpr std::uint64_t ones = 0x0101010101010101, tops = 0x8080808080808080;
  const auto zeros = [](std::uint64_t word) { return (word - ones) & ~word & tops; };
  const std::uint64_t below_blank = (bytes - ones * 0x20) & ~bytes & tops;
  return zeros(bytes ^ (ones * '"')) | zeros(bytes ^ (ones * '\\')) | below_blank;
}

std::size_t end_of_plain(std::string_view text, std::size_t at) {
  if constexpr (std::endian::native == std::endian::little) {
    for (std::uint64_t bytes = 0; at + sizeof bytes <= text.size(); at += sizeof bytes) {
      std::memcpy(&bytes, text.data() + at, sizeof bytes);
      const std::uint64_t special = special_bits(bytes);
      if (special != 0) return at + static_cast<std::size_t>(std::countr_zero(special)) / 8;
    }
  }
  while (at < text.size() && is_plain(text[at])) ++at;
  return at;
}
std::size_t end_of_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}
/// Behind the opening quote: where the closing one stands, or the end.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return std::min(at, text.size());
}
bool is_ascii(std::string_view text) {
  unsigned char all = 0;
  for (const char c : text) all |= static_cast<unsigned char>(c);
  return all < 0x80;
}
/// 0 or without a leading 0, as JSON has it, and not so long that it could be out of range.
bool is_whole_number(std::string_view digits) {
  return !digits.empty() && digits.size() <= most_digits && (digits.size() == 1 || digits.front() != '0');
}

}  // namespace

void EventShape::learn(std::string_view data) {
  learned_ = data;
  parts_.clear();
  taken_ = 0;
  std::string_view key;
  for (std::size_t at = 0; at < data.size();) {
    if (data[at] == '"') {
      const std::size_t begin = at + 1;
      const std::size_t end = end_of_string(data, begin);
      const std::size_t next = data.find_first_not_of(" \t\n\r", std::min(end + 1, data.size()));
      const bool is_key = next != std::string_view::npos && data[next] == ':';
      if (is_key) {
        key = data.substr(begin, end - begin);
      } else {
        on_string(key, begin, end);
      }
      at = end + 1;
    } else if (is_digit(data[at])) {
      const std::size_t end = end_of_digits(data, at);
      const bool stands_alone =
          at > 0 && end < data.size() &&
          (data[at - 1] == ':' || data[at - 1] == '[' || data[at - 1] == ',' || data[at - 1] == ' ') &&
          (data[end] == ',' || data[end] == ']' || data[end] == '}' || data[end] == ' ');
      if (stands_alone && is_one_of(key, number_keys) && is_whole_number(data.substr(at, end - at)))
        add_hole(at, end, Hole::number);
      at = end;
    } else {
      ++at;
    }
  }
  parts_.push_back({taken_, data.size() - taken_, Hole::none});
}

void EventShape::on_string(std::string_view key, std::size_t begin, std::size_t end) {
  if (begin == end || !is_one_of(key, text_keys) || end_of_plain(learned_, begin) != end) return;
  add_hole(begin, end, Hole::text);
}

void EventShape::add_hole(std::size_t begin, std::size_t end, Hole hole) {
  parts_.push_back({taken_, begin - taken_, hole});
  taken_ = end;
}

bool EventShape::matches(std::string_view data) const {
  if (parts_.empty()) return false;
  bool all_ascii = true;
  std::size_t at = 0;
  for (const Part& part : parts_) {
    if (data.size() - at < part.size || std::memcmp(data.data() + at, learned_.data() + part.begin, part.size) != 0)
      return false;
    at += part.size;
    if (part.hole == Hole::none) break;
    const bool is_text = part.hole == Hole::text;
    const std::size_t end = is_text ? end_of_plain(data, at) : end_of_digits(data, at);
    const std::string_view filling = data.substr(at, end - at);
    if (is_text ? filling.empty() : !is_whole_number(filling)) return false;
    all_ascii = all_ascii && is_ascii(filling);
    at = end;
  }
  return at == data.size() && (all_ascii || simdjson::validate_utf8(data));
}

}  // namespace loadline
