#pragma once
// How many lines a piece of a log spans. By memchr: of JSON lines nearly every piece has none, and is passed at the
// speed of memory.

#include <cstdint>
#include <cstring>
#include <string_view>

namespace loadline {

inline std::uint64_t count_newlines(std::string_view text) {
  std::uint64_t count = 0;
  const char *at = text.data(), *const end = at + text.size();
  while (at < end && (at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at))))) {
    ++at;
    ++count;
  }
  return count;
}

}  // namespace loadline
