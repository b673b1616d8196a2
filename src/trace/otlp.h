#pragma once
// Spans in OTLP's JSON, as an OpenTelemetry collector writes them to a file: one export request a line, or
// pretty-printed. vLLM, SGLang and OpenTelemetry's GenAI instrumentations differ only in the names of attributes
// (gen_ai_span.h).

#include "trace/format.h"

namespace loadline {

bool is_vllm_otlp(const LogHead& head);
bool is_sglang_otlp(const LogHead& head);
/// Any other OTLP export.
bool is_otlp(const LogHead& head);
void read_otlp(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
