#include "app/merge_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "trace/byte_source.h"
#include "trace/canonical.h"
#include "trace/known_sources.h"
#include "trace/text_window.h"

namespace loadline {
namespace {

constexpr std::size_t bytes_that_tell = std::size_t{1} << 16;

bool begins_as_canonical(const std::string& path) {
  ByteSource source = ByteSource::open(path);
  TextWindow window(source);
  return is_canonical(LogHead(window.head(bytes_that_tell)));
}

void refuse_unrelated_parts(const std::string& first, const std::string& second, const TraceFormat& format) {
  if (format.scope == FileScope::parts) return;
  throw Error(
      fmt::format("{} and {} are parts of {} logs, each of which has its own clock and ids, so they cannot be joined; "
                  "say --one-log if they are pieces of one file",
                  first, second, format.name));
}

void remark_cuts(const TraceFormat& format, LogSummary& whole) {
  if (format.row_scope == RowScope::alone) return;
  whole.remark(
      fmt::format("Rows of {} rest on rows before them; what the cuts between the parts separated is counted as if it "
                  "began anew, so sessions, pauses and requests told in two rows can differ from those of the whole.",
                  format.name));
}

}  // namespace

LogSummary merge_parts(const std::vector<std::string>& files, std::uint64_t memory_bytes, bool one_log) {
  LogSummary whole(memory_bytes);
  for (const std::string& file : files) {
    LogSummary part = LogSummary::read_part(file, memory_bytes);
    const TraceFormat* const format = format_named(part.format());  // null: read by --map, whose rows stand alone
    if (format != nullptr && !one_log && file != files.front() && part.format() == whole.format())
      refuse_unrelated_parts(files.front(), file, *format);
    whole.merge(std::move(part));
    if (format != nullptr && files.size() > 1) remark_cuts(*format, whole);
  }
  return whole;
}

bool are_parts(const std::vector<std::string>& files) {
  refuse_repeated_files(files);
  const bool parts = std::ranges::any_of(files, is_part);
  for (const std::string& file : files) {
    if (is_part(file) == parts && (parts || begins_as_canonical(file))) continue;
    throw Error(
        parts
            ? fmt::format("{} is no part as `loadline trace stats --part FILE` writes them, and others are; merge "
                          "only parts, or only canonical traces",
                          file)
            : fmt::format("{} is neither a part (`loadline trace stats --part FILE`) nor a canonical trace (`loadline "
                          "trace convert`), and only those are merged; make one of it first",
                          file));
  }
  return parts;
}

}  // namespace loadline
