#pragma once
// Access logs of nginx whose `log_format ... escape=json` adds the token counts that the server sends as headers. The
// line is written at the end of the request: its arrival is `time` ($msec) less `request_time`. All values are text.

#include "trace/format.h"

namespace loadline {

bool is_nginx_usage(const LogHead& head);
void read_nginx_usage(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
