#pragma once
// A run as the list of everything that may have changed its result. docs/method.md section 9. Knows neither files nor
// servers.

#include <map>
#include <string>

#include "core/comparison.h"
#include "core/run_report.h"

namespace loadline {

/// The manifest of `report`, whose effective plan is `plan` (plan file key -> value; what stands at its default may be
/// left out). Left out by name, in the table of the source file: what differs between any two runs (times, ports,
/// process ids, the salt, where it was written and shown), and how much was measured, which the pairs of levels tell.
/// A run without levels (not begun yet) has no `workload.requests`.
Manifest manifest_of(const RunReport& report, const std::map<std::string, std::string>& plan);

/// The digest of the first `at_most` planned requests of the report's first level, or of as many as it has; empty where
/// the run did not keep it. Equal for equal input, seed and options of drawing, whatever the load.
std::string workload_digest(const RunReport& report, std::uint32_t at_most);

}  // namespace loadline
