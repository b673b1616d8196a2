#include "measure/token_flow.h"

#include <algorithm>

namespace loadline {
namespace {

// An answer in one piece has no first token: all of it came with its last.
std::optional<RunTime> first_arrival(const RequestRecord& record) {
  return record.first_token ? record.first_token : record.last_token;
}

bool has_output_inside(const RequestRecord& record, const Window& window) {
  const std::optional<RunTime> first = first_arrival(record);
  if (!first || *first >= window.end) return false;
  return !record.last_token || *record.last_token >= window.start;
}

// Chunks after the first that arrived inside the window: only requests that cross a border are walked through.
double later_chunks_inside(const LevelRecords& records, const RequestRecord& record, const Window& window) {
  const auto gaps = records.gaps.at(record.gaps);
  if (*record.first_token >= window.start && record.last_token && *record.last_token < window.end) {
    return static_cast<double>(gaps.size());
  }
  RunTime arrival = *record.first_token;
  double inside = 0;
  for (const std::uint32_t gap : gaps) {
    arrival += Nanos(gap * nanos_per_gap_unit);
    if (arrival >= window.end) break;
    if (arrival >= window.start) ++inside;
  }
  return inside;
}

}  // namespace

double tokens_inside(const LevelRecords& records, const RequestRecord& record, double tokens, const Window& window) {
  if (!has_output_inside(record, window)) return 0;
  const auto later = static_cast<double>(record.gaps.count);
  double first = 1;
  if (record.first_event_tokens) first = static_cast<double>(record.first_event_tokens->value());
  first = later == 0 ? tokens : std::min(first, tokens);
  const double each = later == 0 ? 0 : (tokens - first) / later;
  const double first_inside = window.holds(*first_arrival(record)) ? first : 0;
  return first_inside + (later == 0 ? 0 : each * later_chunks_inside(records, record, window));
}

TokenFlow token_flow(const LevelRecords& records, const Window& window) {
  TokenFlow flow;
  for (const RequestRecord& record : records.requests) {
    if (!record.due) continue;
    const bool is_counted = record.completion_tokens.has_value();
    if (succeeded(record.outcome)) {
      const bool is_inside = has_output_inside(record, window);
      flow.answers += is_inside ? 1 : 0;
      flow.uncounted += is_inside && !is_counted ? 1 : 0;
      if (!is_counted) continue;
      flow.succeeded += tokens_inside(records, record, static_cast<double>(record.completion_tokens->value()), window);
    } else if (failed(record.outcome)) {
      const double tokens = is_counted ? static_cast<double>(record.completion_tokens->value()) : record.events;
      flow.failed += tokens_inside(records, record, tokens, window);
    }
  }
  return flow;
}

}  // namespace loadline
