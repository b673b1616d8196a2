#include "trace/summary.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "trace/arrival_stats.h"
#include "trace/joint_lengths.h"
#include "trace/time_resolution.h"

namespace loadline {

void TraceSummary::add(const TraceRow& row, const RowDetail& detail) {
  ++rows_;
  pending_[pending_count_++] =
      pair_key(static_cast<std::uint64_t>(row.prompt.value()), static_cast<std::uint64_t>(row.completion.value()));
  if (pending_count_ == pending_.size()) count_pending_pairs();
  if (row.arrival_known) arrivals_.add(row.arrival);
  sessions_.add(row, detail);
}

void TraceSummary::count_pending_pairs() {
  pairs_.add_each({pending_.data(), pending_count_});
  pending_count_ = 0;
}

void TraceSummary::end_source(const Trace& trace) {
  count_pending_pairs();
  sessions_.end_source(trace.sessions);
  LogFacts facts = facts_of(trace);
  if (!trace.has_times) arrivals_.forget_after(arrivals_before_source_);
  const auto arrived = arrivals_.added_since(arrivals_before_source_);
  if (!facts.started && !facts.time_zone.empty() && !arrived.empty()) facts.started = std::ranges::min(arrived);
  arrivals_before_source_ = arrivals_.size();
  join_facts(facts_, facts);
}

void TraceSummary::merge(TraceSummary&& other) {
  check(pending_count_ == 0 && other.pending_count_ == 0, "summaries are merged when their sources have ended");
  rows_ += other.rows_;
  pairs_.add_all(other.pairs_);
  arrivals_.merge(std::move(other.arrivals_));
  arrivals_before_source_ = arrivals_.size();
  sessions_.merge(other.sessions_);
  join_facts(facts_, other.facts_);
}

TraceStats TraceSummary::stats() {
  check(rows_ > 0, "a log that is described has rows");
  check(pending_count_ == 0, "a log is described when its sources have ended");
  TraceStats stats;
  put_facts(facts_, stats);
  stats.rows = rows_;
  describe_lengths(pairs_, stats);
  const std::span<const Nanos> arrivals = arrivals_.sorted();
  if (facts_.time_resolution_ms) {
    stats.time_resolution_ms = std::max(*facts_.time_resolution_ms, observed_resolution_ms(arrivals));
    if (!arrivals.empty()) stats.arrivals = describe_arrivals(arrivals, *stats.time_resolution_ms);
  }
  stats.sessions = sessions_.stats();
  return stats;
}

}  // namespace loadline
