#pragma once
// What lies between a user's options and the first level, the same for a run, a simulation and each side of a live
// comparison.

#include <string>
#include <vector>

#include "app/description.h"
#include "app/input.h"
#include "app/reach_target.h"
#include "app/run_spec.h"
#include "app/settings.h"

namespace loadline {

/// Gives the classes of the objectives their indices in the log. The names belong into the description of the run, else
/// it cannot be read again. Error for a session or client that the log does not have.
ClassNames settle_classes(const Input& input, RunSettings& settings);

/// The server, and this client with its limits and calibration, go into the description. Returns what the user is told
/// before the first level. Error where the endpoint cannot be sent what the log leaves open.
std::vector<std::string> describe_measured(const RunSpec& spec, const Input& input, const ReachedTarget& reached,
                                           RunDescription& description);

/// A log that does not tell how long answers were prescribes no lengths, which is a doubt. Error where `target` ends
/// answers early when nobody says.
void apply_unknown_completions(const Input& input, const Target& target, RunDescription& description);

/// What cannot be planned is said before a run folder is made. `settings`: with rates and classes.
void plan_first_levels(const RunSpec& spec, const RunSettings& settings, const Input& input);

}  // namespace loadline
