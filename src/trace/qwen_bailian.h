#pragma once
// The Qwen Bailian usage traces: JSON lines with `timestamp` (seconds after the start), `input_length`,
// `output_length`, `hash_ids` of blocks of 16 tokens, and the chat's place in its conversation: `chat_id`,
// `parent_chat_id` (-1: the first), `turn` from 1.

#include "trace/format.h"

namespace loadline {

bool is_qwen_bailian(const LogHead& head);
void read_qwen_bailian(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
