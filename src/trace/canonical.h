#pragma once
// The canonical trace: what every log becomes, without any text. JSON lines.
//
// The first line is the header:
//   loadline_trace      1, the version
//   source              where the rows come from
//   rows                how many follow
//   block_size          tokens a block, null where there are no hashes
//   tail                "partial": a partly filled last block has an id, ceil(input_length / block_size) of them;
//                       "dropped": it has none, floor(...)
//   ids                 "chained": equal ids mean equal beginnings up to the end of that block
//   sharing             hashed | sessions | cached-counts | unknown: what is known of shared beginnings
//   tokens              counted | estimated
//   time_resolution_ms  the step of the log's clock, null where the log has no times. Where it is null or absent, the
//   first
//                       row tells: with a timestamp, the log has times, and their step is the finest one written
//   tokenizer           whose tokens, null where unknown
//   started             the first arrival in UTC, ISO 8601; absent where the log has no date
//   time_zone           "local": `started` is a local time of an unknown zone; absent: it is UTC
// Each further line is a request: `timestamp` (ms after the first arrival, ascending; absent for a turn of which only
// `delay` is known), `input_length`, `output_length` (absent where the log does not tell), and where known `cached`,
// `session`, `turn`, `delay` (ms after the end of the turn before), `client`, `max`, `status`, `hash_runs` ([first id,
// count] pairs: ids first, first + 1, ...). Absent or null means unknown, never 0.

#include <iosfwd>

#include "core/trace.h"
#include "trace/format.h"

namespace loadline {

bool is_canonical(const LogHead& head);
/// Throws Error where the header cannot be read or is of another version. A row is refused where its ids disagree with
/// its length or are missing in a hashed trace, or its timestamp is the only one or not there; rows that the header
/// promises and the file lacks are refused as missing, and of more rows than it promises a remark tells.
void read_canonical(TextWindow& window, TraceBuilder& builder);

/// Writes `trace`: read_canonical of it gives the same rows. What was refused is not written. Throws Error where
/// `out` fails. Names are written as they are: make_names_opaque (opaque_name.h) first.
void write_canonical(const Trace& trace, std::ostream& out);

}  // namespace loadline
