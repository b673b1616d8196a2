#pragma once
// Data sets of prompts alone: what to send, with neither times nor lengths. The completions are the model's own.

#include "trace/format.h"

namespace loadline {

/// evalscope's openqa: JSON lines with `question`; answers beside it are not looked at.
bool is_openqa(const LogHead& head);
void read_openqa(TextWindow& window, TraceBuilder& builder);

/// A list of chat messages a line, up to the last that is not an assistant's: answers of a data set are thrown away.
bool is_message_lists(const LogHead& head);
void read_message_lists(TextWindow& window, TraceBuilder& builder);

/// genai-bench's CSV with a column `prompt`, and its text with a prompt a line, which no content tells from other text.
bool is_prompt_table(const LogHead& head);
void read_prompt_table(TextWindow& window, TraceBuilder& builder);
bool is_prompt_text(const LogHead& head);
void read_prompt_text(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
