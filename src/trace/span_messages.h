#pragma once
// A chat's messages as requests and spans write them: a JSON array of objects with a "role" and a "content" that is
// text or a list of parts, or, in OpenTelemetry's words, with "parts". Knows nothing of what is around them.

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "trace/trace_builder.h"

namespace loadline {

class SpanMessages {
 public:
  /// The row's prompt goes on with these messages. False, and the prompt may have begun, where `json` is no array of
  /// messages.
  bool add(std::string_view json, TraceBuilder& builder);
  /// The characters of all their texts; nothing where `json` is no array of messages.
  std::optional<std::int64_t> characters(std::string_view json);

 private:
  template <class Visit>
  simdjson::error_code for_each_message(std::string_view json, Visit visit);
  simdjson::error_code read_message(simdjson::ondemand::object message);
  simdjson::error_code read_content(simdjson::ondemand::value content);
  simdjson::error_code read_part(simdjson::ondemand::value part);

  simdjson::ondemand::parser parser_;
  std::string padded_;       ///< the JSON, with room behind it for the parser
  std::string role_, text_;  ///< of the message being read
  bool in_parts_ = false;    ///< a message has "parts", which no chat endpoint takes
  bool only_texts_ = true;   ///< what was read has no calls of tools, pictures or the like
};

}  // namespace loadline
