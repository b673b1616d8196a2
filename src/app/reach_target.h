#pragma once
// The target of a run: the user's server, or the embedded engine on a free loopback port.

#include <memory>
#include <vector>

#include "app/description.h"
#include "app/run_spec.h"
#include "engine/http_server.h"
#include "load/run_level.h"
#include "target/target.h"

namespace loadline {

struct ReachedTarget {
  std::unique_ptr<EngineServer> engine;  ///< the embedded one, running; absent for a user's server
  Target target;
};

/// Starts the embedded engine where there is no URL; probes what there is. Error (exit 3) where it cannot be used.
ReachedTarget reach_target(const RunSpec& spec, const std::atomic<bool>& stop);
/// The same questions again: the facts of now, to be compared with those of the start.
Target probe_again(const RunSpec& spec, const ReachedTarget& reached, const std::atomic<bool>& stop);

/// Target and facts go into the description: what the user said comes before what the server says.
void describe_target(const RunSpec& spec, const ReachedTarget& reached, RunDescription& description);

/// Where `load` sends requests to: one for each server, at the addresses that the probe found.
std::vector<Destination> destinations_of(const RunSpec& spec, const Target& target);

}  // namespace loadline
