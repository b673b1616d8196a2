#include <algorithm>
#include <array>

#include "trace/azure.h"
#include "trace/canonical.h"
#include "trace/format.h"
#include "trace/mooncake.h"
#include "trace/numbers.h"

namespace loadline {
namespace {

constexpr std::array formats{
    TraceFormat{"canonical", "loadline's own trace, JSON lines under a header with `loadline_trace`", is_canonical,
                read_canonical, false},
    TraceFormat{"mooncake", "JSON lines with timestamp, input_length, output_length, hash_ids", is_mooncake,
                read_mooncake, false},
    TraceFormat{"azure", "CSV with TIMESTAMP, ContextTokens, GeneratedTokens (2023 and 2024)", is_azure, read_azure,
                true},
};

}  // namespace

std::span<const TraceFormat> trace_formats() { return formats; }

const TraceFormat* format_named(std::string_view name) {
  const auto* const format =
      std::find_if(formats.begin(), formats.end(), [&](const TraceFormat& f) { return f.name == name; });
  return format == formats.end() ? nullptr : format;
}

const TraceFormat* format_of(const LogHead& head) {
  const auto* const format =
      std::find_if(formats.begin(), formats.end(), [&](const TraceFormat& f) { return f.recognised(head); });
  return format == formats.end() ? nullptr : format;
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
