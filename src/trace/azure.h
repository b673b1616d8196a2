#pragma once
// The public Azure traces of LLM inference, of 2023 and 2024: CSV under the header TIMESTAMP,ContextTokens,
// GeneratedTokens. Times are UTC text: seven fraction digits without a zone (2023), six with "+00:00" (2024), none
// on a whole second. Columns are found by their names, in any order.

#include "trace/format.h"

namespace loadline {

bool is_azure(const LogHead& head);
void read_azure(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
