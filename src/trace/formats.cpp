#include <algorithm>
#include <vector>

#include "trace/canonical.h"
#include "trace/format.h"
#include "trace/generic.h"
#include "trace/loadline_csv.h"
#include "trace/numbers.h"

namespace loadline {
namespace {

constexpr TraceFormat canonical_format{"canonical",
                                       "loadline's own trace, JSON lines under a header with `loadline_trace`",
                                       is_canonical, read_canonical, FileScope::alone};
constexpr TraceFormat csv_format{"loadline-csv", "the CSV that `loadline trace convert --to csv` writes",
                                 is_loadline_csv, read_loadline_csv, FileScope::alone};
constexpr TraceFormat generic_format{"generic",
                                     "JSON or CSV with fields such as prompt_tokens, completion_tokens and timestamp",
                                     is_generic, read_generic};

}  // namespace

std::span<const TraceFormat> trace_formats() {
  static const std::vector<TraceFormat> formats = [] {
    std::vector<TraceFormat> all{canonical_format, csv_format};
    for (const auto part : {formats_of_engines(), formats_of_gateways(), formats_of_datasets()})
      all.insert(all.end(), part.begin(), part.end());
    all.push_back(generic_format);
    return all;
  }();
  return formats;
}

const TraceFormat* format_named(std::string_view name) {
  const auto formats = trace_formats();
  const auto format = std::ranges::find(formats, name, &TraceFormat::name);
  return format == formats.end() ? nullptr : &*format;
}

const TraceFormat* format_of(const LogHead& head) {
  const auto formats = trace_formats();
  const auto format = std::ranges::find_if(formats, [&](const TraceFormat& f) { return f.recognised(head); });
  return format == formats.end() ? nullptr : &*format;
}

std::string_view LogHead::next_line(std::string_view& rest) {
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!line.empty()) return line;
  }
  return {};
}

std::string_view LogHead::first_line() const {
  std::string_view rest = text_;
  return next_line(rest);
}

}  // namespace loadline
