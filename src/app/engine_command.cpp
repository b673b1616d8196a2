#include <fmt/format.h>

#include <csignal>
#include <cstdio>

#include "app/commands.h"
#include "app/describe_run.h"
#include "app/stop_signal.h"
#include "engine/http_server.h"

namespace loadline {

ExitStatus engine_command(const EngineSpec& spec) {
  if (spec.port > 65535) throw Error(fmt::format("--port: {} is no port; give 0 to 65535", spec.port));
  if (!(spec.speed > 0) || spec.speed > 1000) throw Error("--speed: must be above 0 and at most 1000");
  EngineServer server(engine_parameters_of(spec.engine_parameter), spec.speed, static_cast<std::uint16_t>(spec.port),
                      spec.host);
  const StopSignal stop;
  fmt::print("loadline's simulated engine listens on http://{}:{}\n", spec.host, server.port());
  std::fflush(stdout);
  server.start();
  stop.wait();
  server.stop();
  return ExitStatus::valid;
}

}  // namespace loadline
