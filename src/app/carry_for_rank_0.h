#pragma once
// `loadline run` on a rank other than 0.

#include "app/run_spec.h"
#include "core/error.h"
#include "fleet/communicator.h"

namespace loadline {

/// Carries this rank's shares until rank 0 ends the run, and keeps them in a part of its own. Shows nothing. An Error
/// names the rank.
ExitStatus carry_for_rank_0(const RunSpec& spec, Communicator& ranks);

}  // namespace loadline
