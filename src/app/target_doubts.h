#pragma once
// What is asked of the target and of this machine once the levels have been run, and the doubts it raises.

#include <atomic>
#include <optional>

#include "app/description.h"
#include "app/reach_target.h"
#include "app/run_spec.h"
#include "fleet/fleet.h"
#include "report/run_store.h"
#include "target/cache.h"

namespace loadline {

/// What the server counted while the levels ran, for whoever wants to hold it against the records.
void put_counters(RunWriter& writer, const std::optional<ServerCounters>& before,
                  const std::optional<ServerCounters>& after);

/// Facts that differ between start and end make the run invalid: it measured two servers. One that cannot be asked any
/// more is no other server: then it is only unknown.
void doubt_changed_server(const RunSpec& spec, const ReachedTarget& reached, const std::atomic<bool>& stop,
                          const std::optional<ServerCounters>& before, const std::optional<ServerCounters>& after,
                          RunDescription& description);

/// The embedded engine fell behind its own schedule.
void doubt_slow_engine(const ReachedTarget& reached, RunDescription& description);

}  // namespace loadline
