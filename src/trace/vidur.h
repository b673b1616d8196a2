#pragma once
// Traces as the Vidur simulator and its relatives read them: CSV with num_prefill_tokens and num_decode_tokens, and
// arrived_at (seconds after the start) where they have times. Those of lengths alone add num_total_tokens and pd_ratio.

#include "trace/format.h"

namespace loadline {

bool is_vidur(const LogHead& head);
void read_vidur(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
