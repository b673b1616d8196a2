#pragma once
// A log of nobody's format, CSV or JSON lines, read by the names of its fields (field_map.h).

#include "trace/field_map.h"
#include "trace/text_window.h"
#include "trace/trace_builder.h"

namespace loadline {

/// CSV where the first line is no JSON object; its first record names the columns. Throws Error, naming the field and
/// those there are, where a mapped column is missing.
void read_mapped(TextWindow& window, TraceBuilder& builder, const FieldMap& map);

}  // namespace loadline
