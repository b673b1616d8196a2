#pragma once
// Spans as exporters write them that are not OTLP: `start_time` as text, `attributes` as a plain map; an object with a
// list of `spans`, as inference-perf takes them, or one span an object, as the SDKs' console exporters print them.

#include "trace/format.h"

namespace loadline {

bool is_otel_flat(const LogHead& head);
void read_otel_flat(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
