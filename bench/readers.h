#pragma once
// The two clients of the bench. Each runs in a process of its own, plays the client's part of the scene against the
// server at `port` and writes what it saw to the stage.

#include <cstdint>
#include <string>
#include <vector>

#include "bench/scene.h"

namespace loadline::bench {

/// The reference: one epoll, one recvmsg with the kernel's stamp a readiness, and a count of the blank lines that end
/// events. It knows neither HTTP nor JSON, and is as good as a client without them can be.
void run_minimal_reader(std::uint16_t port, Stage& stage);

/// load's Client on one thread: HTTP, SSE, JSON and records, as a run uses it.
void run_loadline_reader(std::uint16_t port, Stage& stage);

/// The body both send as request `id`.
std::string request_body(std::uint32_t id, std::uint32_t tokens);

/// Due times of the scene's open loop, as spans from its start: Poisson, the same for both clients.
std::vector<Nanos> open_loop_offsets(const Scene& scene);

/// The process's CPU time and the wall's, for the difference of two.
struct Usage {
  double user_s = 0, system_s = 0, wall_s = 0;
};
Usage usage_now();
void keep_usage(const Usage& before, ClientSaw& saw);

}  // namespace loadline::bench
