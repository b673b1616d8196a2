#pragma once
// The objectives of a run, together: no two that contradict each other, classes known by the log.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/level.h"
#include "core/trace.h"

namespace loadline {

/// The objectives of `texts`. Error where one makes another pointless: the same percentile of the same metric and class
/// twice; a lower percentile with a limit that is not lower; an end-to-end limit that is not above the TTFT limit of
/// the same percentile.
std::vector<Objective> parse_objectives(const std::vector<std::string>& texts);

/// What the log calls the sessions and clients that objectives name.
struct ClassNames {
  std::map<std::string, std::uint32_t> sessions, clients;  ///< name -> index in the log
  std::uint32_t sessions_of_log = 0;
};

/// The names that `objectives` use, as `trace` has them; null: a built-in workload, which names nothing. Error for a
/// name that the log does not have, with the nearest one.
ClassNames class_names(const std::vector<Objective>& objectives, const Trace* trace);

/// Gives the classes of `objectives` their indices. Error where a name is not among `names`.
void resolve_classes(std::vector<Objective>& objectives, const ClassNames& names);

}  // namespace loadline
