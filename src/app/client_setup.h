#pragma once
// From what the user wrote to the client of a run: its limits, its threads, and how each of them is made.

#include "app/input.h"
#include "app/run_spec.h"
#include "core/run_report.h"
#include "fleet/fleet.h"
#include "target/target.h"

namespace loadline {

/// Error where a limit cannot be read.
ClientSettings client_settings_of(const RunSpec& spec);

/// The same for the report. `servers`: how many destinations there are.
ClientLimits limits_of(const RunSpec& spec, const ClientSettings& settings, std::size_t servers);

/// The I/O threads of this process.
std::uint32_t client_threads_of(const RunSpec& spec);

/// How each I/O thread of the run is made. `input` and `target` outlive it. `salt` enters every prompt;
/// `monotonic_start`: CLOCK_MONOTONIC at the run's start.
ClientMaker client_maker(const RunSpec& spec, const ClientSettings& settings, const Target& target, const Input& input,
                         const std::string& salt, Nanos monotonic_start);

}  // namespace loadline
