#pragma once
// A trace in the formats that other tools read.

#include <iosfwd>
#include <string>

#include "core/trace.h"

namespace loadline {

/// Mooncake's JSON lines (mooncake.h): timestamp in ms, rounded down; hash_ids of blocks of 512 tokens,
/// ceil(input_length / 512) of them. Where the trace's blocks are smaller, an id stands for the last of them that the
/// big block holds whole (ids are chained, so it tells all before); what no id covers is the row's own. Throws Error
/// where the trace has no times or hashes, turns whose time is not known, or blocks whose size does not divide 512.
void write_mooncake(const Trace& trace, std::ostream& out);

/// AIPerf's variant: the same, with session_id, and for later turns `delay` in ms instead of a timestamp where the
/// pause is known; hash_ids only where the trace has them. Throws Error where a row has neither a time nor a delay.
void write_aiperf(const Trace& trace, std::ostream& out);

/// What the two formats above lose of the sharing of `trace`, whose blocks they write as blocks of 512 tokens; empty
/// where they lose nothing.
std::string regrouping_remark(const Trace& trace);

/// One row a request under a header: timestamp_ms, input_length, output_length, cached, session, turn, delay_ms,
/// client, max, status. What is unknown is an empty field. Block ids have no place in it. loadline_csv.h
/// reads it back.
void write_csv(const Trace& trace, std::ostream& out);

}  // namespace loadline
