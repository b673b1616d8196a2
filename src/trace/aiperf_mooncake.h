#pragma once
// Mooncake rows as AIPerf reads them: `hash_ids` may be missing (lengths only), `session_id` makes conversations, whose
// later turns have a `delay` (ms after the turn before ended) and no timestamp, and instead of `input_length` there may
// be text: `text_input`, or `messages` of a chat. Blocks are of 512 tokens, as in Mooncake's own traces.

#include "trace/format.h"

namespace loadline {

bool is_aiperf_mooncake(const LogHead& head);
/// Whether a row of a log has what only AIPerf adds to Mooncake's.
bool is_aiperf_row(std::string_view line);
void read_aiperf_mooncake(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
