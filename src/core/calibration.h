#pragma once
// What the client itself was proven to carry on this machine, by `loadline calibrate`: what a level is held against.

#include <optional>
#include <string>

namespace loadline {

/// The highest load at which the client's errors were within their bounds.
struct ProvenLimit {
  double value = 0;
  bool at_least = false;  ///< nothing higher was found wanting: the true limit lies above, unknown where
};

/// Per I/O thread. A limit is absent where no load of that kind was within the bounds, or none was tried.
struct ClientCalibration {
  std::string calibrated_utc;
  std::optional<ProvenLimit> events_per_s_per_thread;  ///< output events, each in a read of its own
  std::optional<ProvenLimit> streams_per_thread;       ///< open at the same time
  std::optional<ProvenLimit> requests_per_s_per_thread;
  std::optional<double> ttft_error_p99_ms;  ///< the largest of all loads within the bounds
};

}  // namespace loadline
