#pragma once
// What a trace still tells of people, taken away.

#include "core/trace.h"

namespace loadline {

/// Block ids count from 0 in the order of first sight, sessions and clients are "s0", "s1", ... and "c0", ... in the
/// order of their first request, and source, date and texts are gone. Lengths, times after the first arrival, turns and
/// who shares what with whom stay: what a benchmark needs.
void anonymise(Trace& trace);

}  // namespace loadline
