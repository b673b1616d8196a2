#pragma once
// A chat request's messages, JSON objects with `role` and `content`, as a prompt.

#include <simdjson.h>

#include "trace/trace_builder.h"

namespace loadline {

/// Adds the messages up to the last that does not come from the assistant, whose answers end the list where a data set
/// holds them; false, and nothing added, where no message is the user's. A content may be text, or a list of parts of
/// which those with `text` count.
simdjson::simdjson_result<bool> read_chat_prompt(simdjson::ondemand::array messages, TraceBuilder& builder);

}  // namespace loadline
