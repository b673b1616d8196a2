#pragma once
// The bench's server for clients that are programs of their own.

#include <cstdint>

#include "core/units.h"

namespace loadline::bench {

/// Serves 127.0.0.1:`port` on core 0 until SIGTERM or SIGINT, then prints one line of JSON: requests, most_open,
/// tokens. An answer's first token comes `first` after its request, the others `period` apart.
void serve_alone(std::uint16_t port, Nanos first, Nanos period);

}  // namespace loadline::bench
