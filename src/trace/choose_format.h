#pragma once
// Which format a log is read by, and the sentences for those that cannot be read.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/format.h"
#include "trace/read_options.h"

namespace loadline {

/// The format called `name`, or without a name the one that recognises `head`, the first bytes of `file`. Throws Error
/// for an unknown name or content, and for a format that cannot become a workload.
const TraceFormat& choose_format(const std::string& file, std::string_view head,
                                 const std::optional<std::string>& name);

/// Several files must be parts of one log: of a format whose files share a clock, and not standard input. Throws Error
/// where the first one is not.
void refuse_unrelated_files(const std::vector<std::string>& files, const ReadOptions& options);
[[noreturn]] void refuse_two_formats(const std::string& first, std::string_view first_format, const std::string& second,
                                     std::string_view second_format);

/// "azure, mooncake, ...": what --trace-format takes.
std::string list_of_formats();

}  // namespace loadline
