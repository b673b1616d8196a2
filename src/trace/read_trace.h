#pragma once
// A log in any known format -> Trace, or rows to a sink. Knows nothing of prefixes, sampling or what a trace is for;
// keeps a prompt's text only where the run is to send it.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace.h"
#include "trace/read_options.h"
#include "trace/row_sink.h"

namespace loadline {

/// The rows of all `paths` ("-": standard input; a pattern such as "logs/*.gz" names the files it matches), in order of
/// arrival; several files are read in parallel. Line numbers of refused rows count from 1 within their file.
/// Throws Error for a file that cannot be opened, is empty or of no known format, or of one that cannot become a
/// workload; for an unknown format name, for files of different formats, for several files of a format whose files
/// each have a clock and ids of their own, for a file that comes twice or two of the same bytes, and for a log without
/// one usable row.
Trace read_trace(const std::vector<std::string>& paths, const ReadOptions& options = {});

/// The same of bytes in memory, called `name` in messages. Reads `step` bytes at a time.
Trace read_trace_bytes(const std::string& name, std::string_view bytes, const ReadOptions& options = {},
                       std::size_t step = std::string_view::npos);

/// The rows of all `paths` to sinks, one for each file, which `sink_for(file number)` gives and keeps; it is called
/// before reading begins, in order. Nothing is kept of rows whose lengths the log counts. Throws Error as above; two
/// files of the same bytes are for the sinks to find, by the fingerprints of their facts.
void read_into(const std::vector<std::string>& paths, const ReadOptions& options,
               const std::function<RowSink&(std::size_t file)>& sink_for);

/// The files that `paths` name: patterns expanded, in order, each as often as it is named. Throws Error for a pattern
/// that matches nothing.
std::vector<std::string> files_named(const std::vector<std::string>& paths);

}  // namespace loadline
