#include "trace/json_text.h"

#include <fmt/format.h>
#include <simdjson.h>

namespace loadline {

std::string json_string(std::string_view text) {
  const bool valid = simdjson::validate_utf8(text.data(), text.size());
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20) {
      quoted += fmt::format("\\u{:04x}", byte);
    } else {
      quoted += byte >= 0x80 && !valid ? '?' : c;
    }
  }
  return quoted + '"';
}

}  // namespace loadline
