#pragma once
// A log in any known format -> Trace. Knows nothing of prefixes, sampling or what a trace is for; never
// keeps a prompt's text.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace.h"

namespace loadline {

/// The rows of all `paths` ("-": standard input), in order of arrival. `format` names one of trace_formats(); without
/// it the first bytes decide. Line numbers of refused rows count from 1 within their file.
/// Throws Error for a file that cannot be opened, is empty or of no known format, for an unknown format name, for files
/// of different formats, for several files of a format whose files each have a clock and ids of their own, and for
/// a log without one usable row.
Trace read_trace(const std::vector<std::string>& paths, const std::optional<std::string>& format = std::nullopt);

/// The same of bytes in memory, called `name` in messages. Reads `step` bytes at a time.
Trace read_trace_bytes(const std::string& name, std::string_view bytes,
                       const std::optional<std::string>& format = std::nullopt,
                       std::size_t step = std::string_view::npos);

}  // namespace loadline
