#include "trace/choose_format.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/nearest_name.h"
#include "trace/byte_source.h"

namespace loadline {
namespace {

/// What bytes that no format claims are, where a few of them tell.
std::string_view guess_content(std::string_view head) {
  if (head.starts_with("PK\x03\x04")) return " (it is a zip archive: unpack it first)";
  if (head.starts_with("PAR1")) return " (it is Parquet: name the file itself, not a pipe or a packed copy)";
  if (head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff"))
    return " (it is UTF-16 text: save it as UTF-8 first)";
  if (head.starts_with("BZh")) return " (it is compressed with bzip2: unpack it first, as with bunzip2)";
  if (head.starts_with("\xfd"
                       "7zXZ"))
    return " (it is compressed with xz: unpack it first, as with unxz)";
  return "";
}

const TraceFormat& format_called(const std::string& name) {
  if (const TraceFormat* format = format_named(name)) return *format;
  std::vector<std::string> names;
  for (const TraceFormat& format : trace_formats()) names.emplace_back(format.name);
  throw Error(fmt::format("--trace-format: \"{}\" is no known trace format{}; known: {}", name,
                          did_you_mean(name, names), list_of_formats()));
}

}  // namespace

std::string list_of_formats() {
  std::string list;
  for (const TraceFormat& format : trace_formats()) {
    if (format.instead.empty()) list += fmt::format("{}{}", list.empty() ? "" : ", ", format.name);
  }
  return list;
}

const TraceFormat& choose_format(const std::string& file, std::string_view head,
                                 const std::optional<std::string>& name) {
  const TraceFormat* const format = name ? &format_called(*name) : format_of(LogHead(head));
  if (format == nullptr) {
    throw Error(fmt::format(
        "{} is in no known trace format{}; known: {}; name the right one with --trace-format, or its fields with --map",
        file, guess_content(head), list_of_formats()));
  }
  if (!format->instead.empty()) throw Error(fmt::format("{}: this is {}; {}", file, format->content, format->instead));
  return *format;
}

void refuse_two_formats(const std::string& first, std::string_view first_format, const std::string& second,
                        std::string_view second_format) {
  throw Error(fmt::format(
      "{} is in the format {} and {} in the format {}: two formats cannot be read as one log; read them one by one",
      first, first_format, second, second_format));
}

void refuse_unrelated_files(const std::vector<std::string>& files, const ReadOptions& options) {
  if (files.size() < 2 || !options.map.empty()) return;
  if (std::ranges::count(files, "-") > 0) {
    throw Error("standard input (\"-\") is one log and stands alone; name only files, or put all through one pipe");
  }
  ByteSource source = ByteSource::open(files.front());
  TextWindow window(source);
  const std::string_view head = window.head(head_bytes);
  if (head.empty()) throw Error(fmt::format("{} is empty; name a log with at least one request", source.name()));
  const TraceFormat& format = choose_format(source.name(), head, options.format);
  if (format.scope == FileScope::parts) return;
  ByteSource next_source = ByteSource::open(files[1]);
  TextWindow next_window(next_source);
  const TraceFormat* const next = options.format ? &format : format_of(LogHead(next_window.head(head_bytes)));
  if (next != nullptr && next != &format) refuse_two_formats(files[0], format.name, files[1], next->name);
  throw Error(
      fmt::format("several {} files cannot be read as one log, since each has its own clock and ids; read them one by "
                  "one, or, where they are pieces of one file, put them together with cat and read \"-\"",
                  format.name));
}

}  // namespace loadline
