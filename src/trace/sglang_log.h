#pragma once
// What SGLang logs with --log-requests, among the other lines of its server: as JSON, or as text that is a Python repr.
// Layout: sglang's srt/utils/request_logger.py.

#include "trace/format.h"

namespace loadline {

bool is_sglang_json_log(const LogHead& head);
void read_sglang_json_log(TextWindow& window, TraceBuilder& builder);
bool is_sglang_text_log(const LogHead& head);
void read_sglang_text_log(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
