#include "app/window_part.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/values.h"
#include "core/error.h"

namespace loadline {

WindowPart parse_window_part(std::string_view text, std::string_view where) {
  const auto refuse = [&](std::string_view why) {
    return Error(
        fmt::format("{}: '{}' {}; write it like 30s..120s, 30s.. or ..2m, from the start of each level's window", where,
                    text, why));
  };
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) throw refuse("has no '..'");
  const std::string_view from = text.substr(0, dots), to = text.substr(dots + 2);
  if (from.empty() && to.empty()) throw refuse("names no end");
  WindowPart part;
  if (!from.empty() && from != "0" && from != "0s") part.from = parse_duration(from, where);
  if (!to.empty()) part.to = parse_duration(to, where);
  if (part.to && *part.to <= part.from) throw refuse("ends before it begins");
  return part;
}

bool narrow_window(const WindowPart& part, LevelRecords& records) {
  if (!records.window_start) return false;
  const RunTime opened = *records.window_start, closed = records.window_end.value_or(records.ended);
  if (opened + part.from >= closed) return false;
  records.window_start = opened + part.from;
  if (part.to) records.window_end = std::min(closed, opened + *part.to);
  return true;
}

}  // namespace loadline
