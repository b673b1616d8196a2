#pragma once
// Where a trace goes: a new file, or standard output.

#include <functional>
#include <iosfwd>
#include <string>

namespace loadline {

/// Calls `write` with the stream of `path` (empty: standard output). A file that exists is refused; one that could not
/// be written whole is taken away again.
void write_output(const std::string& path, const std::function<void(std::ostream&)>& write);

}  // namespace loadline
