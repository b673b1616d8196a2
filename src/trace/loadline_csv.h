#pragma once
// The CSV that write_csv (export.h) writes, read back: one row a request under
// timestamp_ms,input_length,output_length,cached,session,turn,delay_ms,client,max,status. An empty field is unknown.

#include "trace/format.h"

namespace loadline {

bool is_loadline_csv(const LogHead& head);
/// The first request tells whether the log has times. A row with a time in a log without times is refused.
void read_loadline_csv(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
