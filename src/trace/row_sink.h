#pragma once
// Where rows go that nobody keeps: a log is described while it is read, whatever its size.

#include <cstdint>
#include <span>

#include "core/trace.h"

namespace loadline {

class RowSink {
 public:
  virtual ~RowSink() = default;
  /// The next usable row, in the log's order, with its block ids. `row.arrival` is on the log's own clock (after 1970
  /// where it has dates), not after the first arrival; `first_block` means nothing; sessions count within one source.
  virtual void take(const TraceRow& row, const RowDetail& detail, std::span<const std::uint64_t> ids) = 0;
  /// A pause between the end of a turn and the next of its session, known only when both had been read.
  virtual void take_pause(Nanos pause) = 0;
  /// One source has been read: its facts and books (format, block_size, sharing, resolution, refused, session names,
  /// ...), with empty `rows` and `blocks`. Called once for each source, after its rows.
  virtual void end_source(const Trace& facts) = 0;
};

}  // namespace loadline
