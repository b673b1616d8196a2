#pragma once
// Which requests belong together, in numbers.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/key_counts.h"
#include "core/part_stream.h"
#include "core/trace.h"
#include "core/trace_stats.h"

namespace loadline {

/// The sessions that logs declare, by name: sources that name the same session tell of the same one, while sessions
/// without names are their source's own. Names are kept as keys only.
class SessionCounts {
 public:
  void add(const TraceRow& row, const RowDetail& detail) {
    if (row.session != no_session) count_turn(row.session);
    if (detail.delay) delays_.push_back(*detail.delay);
  }
  void add_pause(Nanos pause) { delays_.push_back(pause); }
  /// A source ends, whose sessions are called `names`.
  void end_source(const std::vector<std::string>& names);
  void merge(const SessionCounts& other);

  /// Absent where no session is declared. Think times are the logged pauses between the end of one turn and the next;
  /// a log that has none of them gives none, since arrivals alone do not tell when an answer ended.
  std::optional<SessionStats> stats() const;

  void write(PartWriter& part) const;
  void read(PartReader& part);

 private:
  void count_turn(SessionIndex session);

  std::vector<std::uint64_t> turns_of_source_;  ///< by SessionIndex, of the source being read
  KeyCounts turns_by_name_;
  KeyCounts nameless_;         ///< how many sessions have so many turns
  std::vector<Nanos> delays_;  ///< in any order
};

}  // namespace loadline
