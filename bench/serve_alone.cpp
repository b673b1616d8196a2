#include "bench/serve_alone.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>

#include "bench/play.h"
#include "bench/stream_server.h"

namespace loadline::bench {
namespace {

std::atomic<bool>* stop_flag = nullptr;

void on_signal(int) { stop_flag->store(true); }

}  // namespace

void serve_alone(std::uint16_t port, Nanos first, Nanos period) {
  Scene scene;
  scene.flow = Flow::on_request;
  scene.first = first;
  scene.period = period;
  scene.planned_tokens = 0;
  Stage stage(scene);
  pin_to(0);
  go_first();
  raise_open_file_limit();
  Listener listener = listen_on_loopback(port);
  stop_flag = &stage.server->stop;
  std::signal(SIGTERM, &on_signal);
  std::signal(SIGINT, &on_signal);
  fmt::print("serving http://127.0.0.1:{}\n", listener.port);
  std::fflush(stdout);
  serve(std::move(listener), stage);
  fmt::print(R"({{"requests":{},"most_open":{},"tokens":{},"cpu_s":{:.3f}}})"
             "\n",
             stage.server->requests.load(), stage.server->most_open.load(), stage.server->tokens.load(),
             stage.server->cpu_s.load());
}

}  // namespace loadline::bench
