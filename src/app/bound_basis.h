#pragma once
// The bound beside the numbers: from what the run knows of model and hardware to the report.

#include "app/description.h"
#include "app/run_spec.h"
#include "core/run_report.h"

namespace loadline {

/// What --model-config, --hardware, --weights and --kv say; checks that they can be used. "none" where one of
/// the two is missing.
BoundBasis bound_basis_of(const RunSpec& spec);

/// Adds the bound of every level and of the operating point, or says what is missing for one.
void add_bound(const BoundBasis& basis, RunReport& report);

}  // namespace loadline
