#pragma once
// What a user is told of a log that was read, on standard error.

#include "core/trace.h"

namespace loadline {

/// "FILE: read as FORMAT: N rows, M used", each reason of refusal with its first lines, what was filtered, and the
/// trace's remarks.
void print_log_remarks(const Trace& trace);

}  // namespace loadline
