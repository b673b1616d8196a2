#include "trace/session_stats.h"

#include <algorithm>
#include <vector>

namespace loadline {
namespace {

std::vector<std::int64_t> turns_of_sessions(const Trace& trace) {
  std::vector<std::int64_t> turns(trace.sessions.size(), 0);
  for (const TraceRow& row : trace.rows) {
    if (row.session == no_session) continue;
    if (row.session >= turns.size()) turns.resize(row.session + 1, 0);  // sessions without names
    ++turns[row.session];
  }
  std::erase(turns, 0);  // sessions of which no row could be used
  return turns;
}

void add_think_times(const Trace& trace, SessionStats& stats) {
  std::vector<Nanos> delays;
  for (const RowDetail& detail : trace.details) {
    if (detail.delay) delays.push_back(*detail.delay);
  }
  if (delays.empty()) return;
  std::sort(delays.begin(), delays.end());
  const auto rank = [&](std::size_t percent) { return seconds(delays[(percent * delays.size() + 99) / 100 - 1]); };
  stats.think_time_p50_s = rank(50);
  stats.think_time_p90_s = rank(90);
}

}  // namespace

std::optional<SessionStats> describe_sessions(const Trace& trace) {
  std::vector<std::int64_t> turns = turns_of_sessions(trace);
  if (turns.empty()) return std::nullopt;
  SessionStats stats;
  stats.declared = true;
  stats.count = turns.size();
  const auto single = std::count(turns.begin(), turns.end(), 1);
  stats.single_turn_share = static_cast<double>(single) / static_cast<double>(turns.size());
  stats.turns = summarise_lengths(std::move(turns));
  add_think_times(trace, stats);
  return stats;
}

}  // namespace loadline
