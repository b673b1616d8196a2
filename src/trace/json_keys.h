#pragma once
// What recognisers ask of a log's first bytes before anybody parses them: which keys or columns there are.

#include <initializer_list>
#include <string_view>

namespace loadline {

/// Whether `text` holds the key anywhere: "key" in quotes, followed by a colon. Text inside a JSON string cannot look
/// so, since its quotes are escaped.
bool has_json_key(std::string_view text, std::string_view key);
bool has_all_json_keys(std::string_view text, std::initializer_list<std::string_view> keys);
bool has_any_json_key(std::string_view text, std::initializer_list<std::string_view> keys);

/// Whether `header`, the first line of a table, has such a column.
bool has_csv_column(std::string_view header, std::string_view name);
bool has_all_csv_columns(std::string_view header, std::initializer_list<std::string_view> names);

}  // namespace loadline
