#include "trace/json_keys.h"

#include <algorithm>

#include "trace/numbers.h"

namespace loadline {

bool has_json_key(std::string_view text, std::string_view key) {
  for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    const std::size_t end = at + key.size();
    if (at == 0 || text[at - 1] != '"' || end >= text.size() || text[end] != '"') continue;
    const std::size_t colon = text.find_first_not_of(" \t\r\n", end + 1);
    if (colon != std::string_view::npos && text[colon] == ':') return true;
  }
  return false;
}

bool has_all_json_keys(std::string_view text, std::initializer_list<std::string_view> keys) {
  return std::ranges::all_of(keys, [&](std::string_view key) { return has_json_key(text, key); });
}

bool has_any_json_key(std::string_view text, std::initializer_list<std::string_view> keys) {
  return std::ranges::any_of(keys, [&](std::string_view key) { return has_json_key(text, key); });
}

bool has_csv_column(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    const std::size_t comma = std::min(header.find(','), header.size());
    std::string_view column = trimmed(header.substr(0, comma));
    if (column.size() >= 2 && column.starts_with('"') && column.ends_with('"'))
      column = column.substr(1, column.size() - 2);
    if (column == name) return true;
    header.remove_prefix(std::min(comma + 1, header.size()));
  }
  return false;
}

bool has_all_csv_columns(std::string_view header, std::initializer_list<std::string_view> names) {
  return std::ranges::all_of(names, [&](std::string_view name) { return has_csv_column(header, name); });
}

}  // namespace loadline
