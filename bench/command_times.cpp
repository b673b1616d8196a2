#include "bench/command_times.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "bench/play.h"
#include "bench/stream_server.h"
#include "net/time_source.h"

namespace loadline::bench {
namespace {

constexpr int marked_tokens = 37;  // no question about the server asks for so many

/// A log of requests that all ask for the marked number of tokens.
void write_log(const std::filesystem::path& file) {
  std::ofstream out(file);
  out << "TIMESTAMP,ContextTokens,GeneratedTokens\n";
  for (int i = 0; i < 500; ++i)
    out << fmt::format("2026-03-02 09:{:02}:{:02}.0000000,64,{}\n", i / 60, i % 60, marked_tokens);
}

/// Waits for its end; returns the exit status.
int run_program(const std::string& program, std::uint16_t port, const std::string& trace, const std::string& folder) {
  const std::string url = fmt::format("http://127.0.0.1:{}", port);
  const pid_t id = ::fork();
  if (id < 0) throw std::runtime_error("cannot fork");
  if (id == 0) {
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    ::execl(program.c_str(), program.c_str(), "run", "--url", url.c_str(), "--trace", trace.c_str(), "--sampler",
            "rows", "--concurrency", "16", "--warmup-requests", "0", "--num-prompts", "200", "--output-dir",
            folder.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(id, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

}  // namespace

CommandTimes time_command(const std::string& program) {
  Scene scene;
  scene.flow = Flow::on_request;
  scene.period = std::chrono::milliseconds(1);
  scene.first = std::chrono::milliseconds(5);
  scene.planned_tokens = marked_tokens;
  const auto stage = std::make_unique<Stage>(scene);
  Listener listener = listen_on_loopback();
  const std::uint16_t port = listener.port;
  std::thread server([&] { serve(std::move(listener), *stage); });
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("client_bench_{}", ::getpid());
  const std::filesystem::path log = folder.string() + ".csv";
  write_log(log);
  const Nanos start = SystemTime::monotonic_now();
  const int status = run_program(program, port, log.string(), folder.string());
  const Nanos end = SystemTime::monotonic_now();
  stage->server->stop = true;
  server.join();
  std::filesystem::remove_all(folder);
  std::filesystem::remove(log);
  // A doubt of a short run is an exit status of 1; what it measured is not asked about here.
  if (status > 1 || stage->server->first_planned_request == 0)
    throw std::runtime_error(fmt::format("{} ended with status {} and sent no level", program, status));
  const auto ms = [](std::int64_t from, std::int64_t to) { return static_cast<double>(to - from) * 1e-6; };
  return {ms(start.count(), stage->server->first_request), ms(start.count(), stage->server->first_planned_request),
          ms(stage->server->last_write, end.count())};
}

}  // namespace loadline::bench
