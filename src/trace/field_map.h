#pragma once
// A log of nobody's format, by the names of its fields: --map prompt=FIELD,completion=FIELD,time=FIELD[:unit],...

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "core/units.h"

namespace loadline {

/// Names of CSV columns or JSON keys ("a.b" is b inside a); empty: the log has no such field.
struct FieldMap {
  std::string prompt, completion;                        ///< tokens
  std::string prompt_characters, completion_characters;  ///< characters, for logs that count no tokens
  std::string time, end;                                 ///< arrival, end; without a time the end needs a duration
  std::string duration;                                  ///< of the request, from its arrival to its end
  std::string cached, session, client, status, text;
  /// Of numbers in `time` and `end`; absent: seconds after 1970 or the log's start, or ISO 8601 text.
  std::optional<Nanos> time_unit;
  Nanos duration_unit = std::chrono::seconds(1);

  bool empty() const { return prompt.empty() && prompt_characters.empty() && text.empty(); }
};

/// Of "prompt=FIELD,completion=FIELD,time=FIELD[:s|ms|us|ns],...", keys as above with "prompt_chars" and
/// "completion_chars". Throws Error naming `flag` and the key for an unknown key (with the nearest one), a key given
/// twice, a unit that is none, and a map without a prompt.
FieldMap parse_field_map(std::string_view text, std::string_view flag);

}  // namespace loadline
