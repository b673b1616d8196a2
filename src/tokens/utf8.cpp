#include "tokens/utf8.h"

#include <algorithm>

namespace loadline {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

struct Scanned {
  std::size_t size = 1;
  bool is_valid = false;
};

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// Of the first byte: how long its character is, and what the second byte may be (Unicode 15, table 3-7).
struct Lead {
  std::size_t size = 0;
  unsigned char low = 0x80, high = 0xBF;
};

Lead lead_of(unsigned char byte) {
  if (byte < 0x80) return {1};
  if (byte >= 0xC2 && byte <= 0xDF) return {2};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {3};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte >= 0xF1 && byte <= 0xF3) return {4};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {};
}

/// The character at the beginning, or how many bytes of one there are before it breaks.
Scanned scan_character(std::string_view text) {
  const Lead lead = lead_of(static_cast<unsigned char>(text.front()));
  if (lead.size < 2) return {1, lead.size == 1};
  for (std::size_t i = 1; i < lead.size; ++i) {
    if (i >= text.size() || !is_continuation(text[i])) return {i, false};
    const auto byte = static_cast<unsigned char>(text[i]);
    if (i == 1 && (byte < lead.low || byte > lead.high)) return {i, false};
  }
  return {lead.size, true};
}

constexpr std::string_view white_space[] = {
    "\t",           "\n",           "\v",           "\f",           "\r",           " ",
    "\xC2\x85",     "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\x80", "\xE2\x80\x81", "\xE2\x80\x82",
    "\xE2\x80\x83", "\xE2\x80\x84", "\xE2\x80\x85", "\xE2\x80\x86", "\xE2\x80\x87", "\xE2\x80\x88",
    "\xE2\x80\x89", "\xE2\x80\x8A", "\xE2\x80\xA8", "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F",
    "\xE3\x80\x80"};

}  // namespace

std::string valid_utf8(std::string text) {
  const auto first_broken = [](std::string_view left) {
    std::size_t at = 0;
    while (at < left.size()) {
      const Scanned character = scan_character(left.substr(at));
      if (!character.is_valid) break;
      at += character.size;
    }
    return at;
  };
  std::size_t at = first_broken(text);
  if (at == text.size()) return text;
  std::string valid = text.substr(0, at);
  for (std::string_view left = std::string_view(text).substr(at); !left.empty();) {
    const Scanned character = scan_character(left);
    valid += character.is_valid ? left.substr(0, character.size) : replacement;
    left.remove_prefix(character.size);
  }
  return valid;
}

std::size_t character_size(char lead) {
  return std::max<std::size_t>(lead_of(static_cast<unsigned char>(lead)).size, 1);
}

void append_character(std::string& text, char32_t character) {
  const auto put = [&text](char32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
  const auto put_last = [&put, character](unsigned shift) { put(0x80 | ((character >> shift) & 0x3F)); };
  if (character < 0x80) return put(character);
  if (character < 0x800) {
    put(0xC0 | character >> 6);
  } else if (character < 0x10000) {
    put(0xE0 | character >> 12);
    put_last(6);
  } else {
    put(0xF0 | character >> 18);
    put_last(12);
    put_last(6);
  }
  put_last(0);
}

std::size_t leading_white_space(std::string_view text) {
  std::size_t size = 0;
  while (true) {
    const std::string_view left = text.substr(size);
    const auto found =
        std::ranges::find_if(white_space, [left](std::string_view one) { return left.starts_with(one); });
    if (found == std::end(white_space)) return size;
    size += found->size();
  }
}

std::size_t trailing_white_space(std::string_view text) {
  std::size_t size = 0;
  while (true) {
    const std::string_view left = text.substr(0, text.size() - size);
    const auto found = std::ranges::find_if(white_space, [left](std::string_view one) { return left.ends_with(one); });
    if (found == std::end(white_space)) return size;
    size += found->size();
  }
}

}  // namespace loadline
