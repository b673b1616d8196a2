#include "bench/play.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <functional>
#include <memory>
#include <thread>

#include "bench/stream_server.h"
#include "net/time_source.h"

namespace loadline::bench {
namespace {

constexpr auto look_interval = std::chrono::milliseconds(20);
constexpr Nanos patience = std::chrono::seconds(60);

/// A forked process; killed with the object if it still runs.
class Process {
 public:
  Process(int core, const std::function<void()>& work) : id_(::fork()) {
    if (id_ < 0) throw std::runtime_error("cannot fork");
    if (id_ > 0) return;
    int status = 0;
    try {
      pin_to(core);
      go_first();
      work();
    } catch (const std::exception& error) {
      fmt::print(stderr, "bench: {}\n", error.what());
      status = 1;
    }
    ::_exit(status);
  }
  ~Process() {
    if (id_ > 0) ::kill(id_, SIGKILL);
    wait(0);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Whether it has ended.
  bool ended() {
    wait(WNOHANG);
    return id_ <= 0;
  }
  /// Throws where it failed.
  void demand_success(const char* who) const {
    if (status_ == 0) return;
    const std::string how = WIFSIGNALED(status_) ? fmt::format("signal {}", WTERMSIG(status_))
                                                 : fmt::format("status {}", WEXITSTATUS(status_));
    throw std::runtime_error(fmt::format("the {} of the bench ended with {}", who, how));
  }
  void join() { wait(0); }
  /// Memory that is resident and of this process alone.
  double own_bytes() const {
    long total = 0, resident = 0, shared = 0;
    const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(fmt::format("/proc/{}/statm", id_).c_str(), "r"),
                                                     &std::fclose);
    if (!file || std::fscanf(file.get(), "%ld %ld %ld", &total, &resident, &shared) != 3) return 0;
    return static_cast<double>(resident - shared) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  }

 private:
  void wait(int options) {
    if (id_ > 0 && ::waitpid(id_, &status_, options) == id_) id_ = 0;
  }
  pid_t id_;
  int status_ = 0;
};

bool in_middle_of_flow(Stage& stage) {
  const std::int64_t begin = stage.server->flow_begin;
  return begin != 0 && SystemTime::monotonic_now().count() > begin + stage.scene.span.count() / 2;
}

std::vector<double> arrival_errors(Stage& stage) {
  std::vector<double> errors;
  const std::uint32_t per_write = stage.scene.tokens_per_write;
  for (std::size_t token = 0; token < stage.arrived.size(); ++token) {
    const std::int64_t written = stage.written[token / per_write];
    const std::int64_t arrived = stage.arrived[token];
    if (written != 0 && arrived != 0) errors.push_back(static_cast<double>(arrived - written) * 1e-3);
  }
  return errors;
}

std::vector<double> firing_errors(Stage& stage) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < stage.due.size(); ++i) {
    if (stage.due[i] != 0 && stage.asked[i] != 0)
      errors.push_back(static_cast<double>(stage.asked[i] - stage.due[i]) * 1e-3);
  }
  return errors;
}

}  // namespace

bool go_first() {
  const sched_param lowest_of_real_time{.sched_priority = 1};
  return ::sched_setscheduler(0, SCHED_FIFO, &lowest_of_real_time) == 0;
}

bool may_go_first() {
  const sched_param usual{.sched_priority = 0};
  return go_first() && ::sched_setscheduler(0, SCHED_OTHER, &usual) == 0;
}

void pin_to(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(static_cast<std::size_t>(core), &cores);
  ::sched_setaffinity(0, sizeof cores, &cores);
}

Played play(const Scene& scene, Reader reader) {
  const auto stage = std::make_unique<Stage>(scene);
  raise_open_file_limit();
  Listener listener = listen_on_loopback();
  const std::uint16_t port = listener.port;
  Process server(0, [&] { serve(std::move(listener), *stage); });
  listener.socket.close();
  Process client(1, [&] { reader(port, *stage); });

  Played played;
  const Nanos start = SystemTime::monotonic_now();
  while (!client.ended()) {
    if (server.ended()) {
      server.demand_success("server");
      throw std::runtime_error("the server of the bench ended early");
    }
    if (SystemTime::monotonic_now() - start > scene.span + patience)
      throw std::runtime_error("the client of the bench does not come to an end");
    if (played.own_memory_bytes == 0 && in_middle_of_flow(*stage)) played.own_memory_bytes = client.own_bytes();
    std::this_thread::sleep_for(look_interval);
  }
  stage->server->stop = true;
  server.join();
  client.demand_success("client");
  server.demand_success("server");
  played.client = *stage->client;
  played.tokens = stage->server->tokens;
  played.writes = stage->server->writes;
  played.flow_s = static_cast<double>(stage->server->flow_end - stage->server->flow_begin) * 1e-9;
  played.server_cpu_s = stage->server->cpu_s;
  played.arrival_errors_us = arrival_errors(*stage);
  played.firing_errors_us = firing_errors(*stage);
  return played;
}

double quantile(std::vector<double>& values, double share) {
  if (values.empty()) return 0;
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
  const std::size_t index = std::clamp<std::size_t>(rank, 1, values.size()) - 1;
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(index));
  return values[index];
}

double median(std::vector<double> values) { return quantile(values, 0.5); }

}  // namespace loadline::bench
