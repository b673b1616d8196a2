#pragma once
// Plays a scene: a server process on core 0, a client process on core 1, and what both saw.

#include <string>
#include <vector>

#include "bench/readers.h"
#include "bench/scene.h"

namespace loadline::bench {

using Reader = void (*)(std::uint16_t port, Stage& stage);

struct Played {
  ClientSaw client;
  std::uint64_t tokens = 0, writes = 0;  ///< that the server wrote
  double flow_s = 0;                     ///< how long tokens flowed
  double server_cpu_s = 0;
  double own_memory_bytes = 0;            ///< of the client, in the middle of the flow: resident and not shared
  std::vector<double> arrival_errors_us;  ///< token arrivals minus the instant before the write that brought them
  std::vector<double> firing_errors_us;   ///< the kernel's stamp at the server minus the due time
};

/// Throws std::runtime_error where a process failed or took far longer than the scene.
Played play(const Scene& scene, Reader reader);

/// Nearest rank; 0 < share <= 1. Sorts `values`. 0 where there are none.
double quantile(std::vector<double>& values, double share);
double median(std::vector<double> values);

/// What else runs on this machine is not to be measured: takes precedence over all of it. False where that is not
/// allowed.
bool go_first();
bool may_go_first();
/// Binds the calling process to a core.
void pin_to(int core);

}  // namespace loadline::bench
