#pragma once
// Where a trace goes: a new file, or standard output.

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

namespace loadline {

/// Refuses a file that write_output would, so that nobody waits for a log to be read first.
void refuse_output(const std::string& path, std::string_view flag);

/// Calls `write` with the stream of `path`, given with `flag` (empty: standard output). A file that exists is refused;
/// one that could not be written whole is taken away again.
void write_output(const std::string& path, std::string_view flag, const std::function<void(std::ostream&)>& write);

}  // namespace loadline
