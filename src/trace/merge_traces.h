#pragma once
// Traces of parts of one log, each with its own start and ids -> one trace.

#include <vector>

#include "core/trace.h"

namespace loadline {

/// Rows in order of arrival on the common calendar. `same_ids`: equal block ids mean equal beginnings in all traces;
/// else each trace's ids get numbers of their own, and what they share between them is lost, as a remark says. Sessions
/// and clients of one name are one. Throws Error where there are several and one has no date, where block sizes or
/// tails differ, and where two were read from the same bytes.
Trace merge_traces(std::vector<Trace> traces, bool same_ids);

}  // namespace loadline
