#pragma once
// TraceStats of a log of any size, while it is read: rows are counted and forgotten, and summaries of parts of a log,
// read in parallel or on several machines, merge into exactly the summary of the whole. Knows nothing of block ids:
// `sharing` is for prefix/ to make.

#include <array>
#include <cstddef>
#include <iosfwd>
#include <string>

#include "core/key_counts.h"
#include "core/trace.h"
#include "core/trace_stats.h"
#include "trace/arrival_column.h"
#include "trace/log_facts.h"
#include "trace/session_stats.h"

namespace loadline {

/// Its memory is eight bytes a row with a known arrival, 24 to 48 for each distinct pair of lengths and each session,
/// and eight for each pause between turns.
class TraceSummary {
 public:
  /// The next usable row, as RowSink::take is given it.
  void add(const TraceRow& row, const RowDetail& detail);
  /// As RowSink::take_pause.
  void add_pause(Nanos pause) { sessions_.add_pause(pause); }
  /// The facts of the source whose rows were added since the source before ended.
  void end_source(const Trace& facts);
  /// `other` tells of sources behind these. Both are between sources. Throws Error where they share a file, and where
  /// they are of two formats.
  void merge(TraceSummary&& other);

  std::uint64_t rows() const { return rows_; }
  /// What is known beside the rows.
  const LogFacts& facts() const { return facts_; }
  /// A sentence for people, once, however often it is said.
  void remark(const std::string& sentence) { add_remark(facts_, sentence); }
  /// Of at least one row. All but `sharing`; the definitions are those of describe (stats.h). Sorts the arrivals where
  /// they did not come in order.
  TraceStats stats();

  /// A part that read() reads; the order of rows leaves no trace in it.
  void write(std::ostream& stream);
  /// Throws Error, with `name` as the file, for one that is foreign, damaged, cut or of a newer version.
  static TraceSummary read(std::istream& stream, const std::string& name);

 private:
  void count_pending_pairs();

  std::uint64_t rows_ = 0;
  KeyCounts pairs_;                          ///< of pair_key(prompt, completion)
  std::array<std::uint64_t, 64> pending_{};  ///< pairs not counted yet: many at a time are cheaper
  std::size_t pending_count_ = 0;
  ArrivalColumn arrivals_;
  std::size_t arrivals_before_source_ = 0;
  SessionCounts sessions_;
  LogFacts facts_;
};

}  // namespace loadline
