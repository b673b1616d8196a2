#pragma once
// The server that the bench holds clients against: prepared bytes of a vLLM stream at exact times, and no more work a
// token than the write. It also answers on request, to a public port, for clients that are programs of their own.

#include <cstdint>

#include "bench/scene.h"
#include "net/socket.h"

namespace loadline::bench {

/// Serves `stage.scene` on `listener` until `stage.server->stop`. One thread.
void serve(Listener listener, Stage& stage);

}  // namespace loadline::bench
