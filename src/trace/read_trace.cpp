#include "trace/read_trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "trace/byte_source.h"
#include "trace/format.h"
#include "trace/trace_builder.h"

namespace loadline {
namespace {

constexpr std::size_t head_bytes = std::size_t{1} << 16;

std::string list_of_formats() {
  std::string list;
  for (const TraceFormat& format : trace_formats()) list += fmt::format("{}{}", list.empty() ? "" : ", ", format.name);
  return list;
}

/// What bytes that no format claims are, where a few of them tell.
std::string_view guess_content(std::string_view head) {
  if (head.starts_with("\x1f\x8b")) return " (it is compressed with gzip: unpack it first, as with gunzip)";
  if (head.starts_with("\x28\xb5\x2f\xfd")) return " (it is compressed with zstd: unpack it first, as with unzstd)";
  if (head.starts_with("PK\x03\x04")) return " (it is a zip archive: unpack it first)";
  if (head.starts_with("PAR1")) return " (it is a Parquet file: export it as CSV or JSON lines first)";
  if (head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff"))
    return " (it is UTF-16 text: save it as UTF-8 first)";
  return "";
}

const TraceFormat& choose_format(const std::string& file, std::string_view head,
                                 const std::optional<std::string>& name) {
  if (name) {
    if (const TraceFormat* format = format_named(*name)) return *format;
    throw Error(fmt::format("\"{}\" is no known trace format; known: {}", *name, list_of_formats()));
  }
  if (const TraceFormat* format = format_of(LogHead(head))) return *format;
  throw Error(
      fmt::format("{} is in no known trace format{}; known: {}; name the right one with --format, or convert the file",
                  file, guess_content(head), list_of_formats()));
}

[[noreturn]] void refuse_two_formats(const std::string& first, std::string_view first_format, const std::string& second,
                                     std::string_view second_format) {
  throw Error(fmt::format(
      "{} is in the format {} and {} in the format {}: two formats cannot be read as one log; read them one by one",
      first, first_format, second, second_format));
}

/// The first file is of a format whose files are whole logs, and `next` follows it.
[[noreturn]] void refuse_several(const std::string& first, const TraceFormat& format, const std::string& next,
                                 const std::optional<std::string>& name) {
  ByteSource source = ByteSource::open(next);
  TextWindow window(source);
  const std::string_view head = window.head(head_bytes);
  const TraceFormat* const other = name ? &format : format_of(LogHead(head));
  if (other != nullptr && other != &format) refuse_two_formats(first, format.name, source.name(), other->name);
  throw Error(
      fmt::format("several {} files cannot be read as one log, since each has its own clock and ids; read them one by "
                  "one, or, where they are pieces of one file, put them together with cat and read \"-\"",
                  format.name));
}

/// Files that are read as one log.
struct LogFiles {
  const std::vector<std::string>& paths;
  const std::optional<std::string>& format;
  std::string first{};  ///< the first one's name in messages
};

void read_source(ByteSource& source, TraceBuilder& builder, LogFiles& files, std::size_t index) {
  TextWindow window(source);
  const std::string_view head = window.head(head_bytes);
  if (head.empty()) throw Error(fmt::format("{} is empty; name a log with at least one request", source.name()));
  const TraceFormat& format = choose_format(source.name(), head, files.format);
  std::string& known = builder.trace().format;
  if (index == 0) {
    known = format.name;
    files.first = source.name();
  }
  if (known != format.name) refuse_two_formats(files.first, known, source.name(), format.name);
  if (!format.parts_of_one_log && files.paths.size() > 1)
    refuse_several(files.first, format, files.paths[1], files.format);
  format.read(window, builder);
}

void check_usable(const Trace& trace, const std::string& names) {
  if (!trace.rows.empty()) return;
  if (trace.refused.empty()) throw Error(fmt::format("{} has no rows; name a log with at least one request", names));
  const auto most = std::max_element(trace.refused.begin(), trace.refused.end(),
                                     [](const auto& a, const auto& b) { return a.second.count < b.second.count; });
  throw Error(
      fmt::format("{} ({}) has no usable row: {} of {} were refused as {}, the first on line {}; look at that line, or "
                  "name the right format with --format (known: {})",
                  names, trace.format, most->second.count, trace.read, most->first, most->second.first_lines.front(),
                  list_of_formats()));
}

std::string joined(const std::vector<std::string>& paths) {
  std::string names;
  for (const std::string& path : paths)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", path == "-" ? "standard input" : path);
  return names;
}

}  // namespace

Trace read_trace(const std::vector<std::string>& paths, const std::optional<std::string>& format) {
  if (paths.empty()) throw Error("no trace was named; name a file, or \"-\" for standard input");
  TraceBuilder builder;
  builder.trace().source = joined(paths);
  LogFiles files{paths, format};
  for (std::size_t i = 0; i < paths.size(); ++i) {
    ByteSource source = ByteSource::open(paths[i]);
    read_source(source, builder, files, i);
  }
  Trace trace = builder.finish();
  check_usable(trace, joined(paths));
  return trace;
}

Trace read_trace_bytes(const std::string& name, std::string_view bytes, const std::optional<std::string>& format,
                       std::size_t step) {
  TraceBuilder builder;
  builder.trace().source = name;
  ByteSource source = ByteSource::memory(name, bytes, step);
  const std::vector<std::string> alone = {name};
  LogFiles files{alone, format};
  read_source(source, builder, files, 0);
  Trace trace = builder.finish();
  check_usable(trace, name);
  return trace;
}

}  // namespace loadline
