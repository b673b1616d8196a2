// The client beside a minimal epoll reader, in one run: what an event costs, how exactly it is stamped, what a stream
// takes of memory, how exactly requests are fired. Reader and server have a core and a process each; the two clients
// take turns, and medians are compared. Ratios matter: a busy machine slows both. docs/reference/speed.md.
//
//   client_bench [--parts abcdef] [--seconds 3] [--repeats 3] [--json] [--loadline PROGRAM]
//   client_bench --serve PORT [--first-ms 100] [--period-ms 10]     the server alone, until a signal; for peers.py
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <thread>

#include "bench/command_times.h"
#include "bench/play.h"
#include "bench/rows.h"
#include "bench/serve_alone.h"
#include "core/plan.h"
#include "core/record.h"

namespace {

using namespace loadline;
using namespace loadline::bench;
using Milliseconds = std::chrono::milliseconds;

struct Options {
  std::string parts = "abcdef";
  double seconds = 3;
  int repeats = 3;
  bool json = false;
  std::string loadline;
  int serve_port = -1;
  int first_ms = 100, period_ms = 10;
};

/// Both clients in turns: A B A B.
struct Pairs {
  std::vector<Played> minimal, loadline;
};

Pairs play_in_turns(const Scene& scene, int repeats) {
  Pairs pairs;
  for (int i = 0; i < repeats; ++i) {
    pairs.minimal.push_back(play(scene, &run_minimal_reader));
    pairs.loadline.push_back(play(scene, &run_loadline_reader));
    for (const auto& [played, extra] :
         {std::pair(&pairs.minimal.back(), scene.streams), {&pairs.loadline.back(), 0u}}) {
      // The reference also counts [DONE], one a stream.
      if (played->client.events == played->tokens + extra) continue;
      throw std::runtime_error(
          fmt::format("{} events were counted where {} were written", played->client.events, played->tokens + extra));
    }
  }
  return pairs;
}

template <class Figure>
double median_of(std::vector<Played>& played, Figure figure) {
  std::vector<double> values;
  for (Played& one : played) values.push_back(figure(one));
  return median(values);
}

template <class Figure>
Row row(std::string part, std::string what, std::string unit, Pairs& pairs, Figure figure, Goal goal = {}) {
  return {std::move(part),
          std::move(what),
          std::move(unit),
          median_of(pairs.minimal, figure),
          median_of(pairs.loadline, figure),
          false,
          goal};
}

double events_a_cpu_second(const Played& p) {
  return static_cast<double>(p.tokens) / (p.client.user_s + p.client.system_s);
}
double user_us(const Played& p) { return p.client.user_s * 1e6 / static_cast<double>(p.tokens); }
double total_us(const Played& p) { return 1e6 / events_a_cpu_second(p); }
double rate(const Played& p) { return static_cast<double>(p.tokens) / p.flow_s; }
double events_a_read(const Played& p) {
  return static_cast<double>(p.client.events) / static_cast<double>(std::max<std::uint64_t>(p.client.reads, 1));
}

void full_speed(std::vector<Row>& rows, const Options& options, const std::string& part, std::uint32_t streams,
                std::uint32_t tokens_per_write) {
  Scene scene;
  scene.flow = Flow::full_speed;
  scene.streams = streams;
  scene.tokens_per_write = tokens_per_write;
  scene.span = nanos(Seconds(options.seconds));
  scene.planned_tokens = 4096;
  Pairs pairs = play_in_turns(scene, options.repeats);
  const std::string name =
      fmt::format("{} streams, {} token{} a write: ", streams, tokens_per_write, tokens_per_write > 1 ? "s" : "");
  const bool single = tokens_per_write == 1;
  rows.push_back(row(part, name + "events a CPU second", "1/s", pairs, events_a_cpu_second,
                     {Goal::Of::ratio_at_least, single ? 0.85 : 0.7}));
  if (!single)
    rows.push_back(
        row(part, name + "events a CPU second", "1/s", pairs, events_a_cpu_second, {Goal::Of::at_least, 450'000}));
  rows.push_back(
      row(part, name + "user CPU an event", "us", pairs, user_us, single ? Goal{Goal::Of::at_most, 0.7} : Goal{}));
  rows.push_back(row(part, name + "total CPU an event", "us", pairs, total_us));
  rows.push_back(row(part, name + "events/s that flowed", "1/s", pairs, rate));
  rows.push_back(row(part, name + "events a read", "", pairs, events_a_read));
}

void arrivals(std::vector<Row>& rows, const Options& options, std::uint32_t streams, int tokens_per_s) {
  Scene scene;
  scene.streams = streams;
  scene.period = Nanos(std::chrono::seconds(1)) / tokens_per_s;
  scene.span = nanos(Seconds(options.seconds));
  scene.planned_tokens = scene.writes_per_stream() + 1;
  scene.keeps_arrivals = true;
  Pairs pairs = play_in_turns(scene, std::max(1, options.repeats - 1));
  const std::string name = fmt::format("{} streams at {} tokens/s: ", streams, tokens_per_s);
  const auto error = [](double share) { return [share](Played& p) { return quantile(p.arrival_errors_us, share); }; };
  rows.push_back(row("c", name + "arrival error p50", "us", pairs, error(0.5)));
  rows.push_back(row("c", name + "arrival error p99", "us", pairs, error(0.99), {Goal::Of::at_most, 15}));
  rows.push_back(
      row("c", name + "seen minus arrived p50", "us", pairs, [](Played& p) { return p.client.seen_p50_us; }));
  rows.push_back(
      row("c", name + "seen minus arrived p99", "us", pairs, [](Played& p) { return p.client.seen_p99_us; }));
  rows.push_back(row("c", name + "CPU share of a core", "%", pairs,
                     [](Played& p) { return 100 * (p.client.user_s + p.client.system_s) / p.client.wall_s; }));
  rows.push_back(row("c", name + "reads with a kernel stamp", "%", pairs, [](Played& p) {
    return 100 * static_cast<double>(p.client.stamped_reads) / static_cast<double>(p.client.reads);
  }));
}

/// Bytes a stream by which the client grows from one stream to many; few tokens, so that results do not count.
double memory_a_stream(Reader reader, bool tls, std::uint32_t many) {
  Scene scene;
  scene.period = Milliseconds(250);
  scene.span = Milliseconds(2000);
  scene.planned_tokens = 512;
  scene.tls = tls;
  const double one = play(scene, reader).own_memory_bytes;
  scene.streams = many;
  const double grown = play(scene, reader).own_memory_bytes - one;
  return grown / (many - 1);
}

// Plan and record of a request, and what was recorded of its tokens, are what the user came for; they are in the file
// in the end, and are told apart.
void memory(std::vector<Row>& rows) {
  constexpr double of_a_request = sizeof(PlannedRequest) + sizeof(RequestRecord);
  rows.push_back({"d",
                  "memory a stream, 8192 streams",
                  "bytes",
                  memory_a_stream(&run_minimal_reader, false, 8192),
                  memory_a_stream(&run_loadline_reader, false, 8192) - of_a_request,
                  false,
                  {Goal::Of::at_most, 1024}});
  rows.push_back({"d",
                  "memory a stream, 2048 streams with TLS",
                  "bytes",
                  std::nullopt,
                  memory_a_stream(&run_loadline_reader, true, 2048) - of_a_request,
                  false,
                  {Goal::Of::at_most, 20 * 1024}});
  rows.push_back({"d", "beside it: a request's plan and record", "bytes", std::nullopt, of_a_request});
  rows.push_back({"d", "beside it: a token's gap", "bytes", std::nullopt, sizeof(std::uint32_t)});
}

void open_loop(std::vector<Row>& rows, const Options& options) {
  Scene scene;
  scene.flow = Flow::on_request;
  scene.requests_per_s = 1000;
  scene.streams = static_cast<std::uint32_t>(1000 * options.seconds);
  Pairs pairs = play_in_turns(scene, options.repeats);
  const auto error = [](double share) { return [share](Played& p) { return quantile(p.firing_errors_us, share); }; };
  rows.push_back(row("e", "1000 requests/s: at the server after due, p50", "us", pairs, error(0.5)));
  rows.push_back(
      row("e", "1000 requests/s: at the server after due, p99", "us", pairs, error(0.99), {Goal::Of::at_most, 100}));
  rows.push_back(row("e", "1000 requests/s: at the server after due, max", "us", pairs, error(1)));
}

void command(std::vector<Row>& rows, const Options& options) {
  if (options.loadline.empty()) return;
  std::vector<double> any, planned, exit;
  for (int i = 0; i < options.repeats; ++i) {
    const CommandTimes times = time_command(options.loadline);
    any.push_back(times.first_request_ms);
    planned.push_back(times.first_planned_request_ms);
    exit.push_back(times.exit_ms);
  }
  rows.push_back({"f", "command to its first request of any kind", "ms", std::nullopt, median(any)});
  rows.push_back({"f",
                  "command to its first measured request",
                  "ms",
                  std::nullopt,
                  median(planned),
                  false,
                  {Goal::Of::at_most, 100}});
  rows.push_back({"f", "last answer to exit", "ms", std::nullopt, median(exit), false, {Goal::Of::at_most, 1000}});
}

std::string load_average() {
  std::ifstream file("/proc/loadavg");
  std::string one, five;
  file >> one >> five;
  return fmt::format("{} {}", one, five);
}

Options options_of(int argc, char** argv) {
  Options options;
  const std::map<std::string, std::function<void(const char*)>> takes = {
      {"--parts", [&](const char* v) { options.parts = v; }},
      {"--seconds", [&](const char* v) { options.seconds = std::atof(v); }},
      {"--repeats", [&](const char* v) { options.repeats = std::atoi(v); }},
      {"--loadline", [&](const char* v) { options.loadline = v; }},
      {"--serve", [&](const char* v) { options.serve_port = std::atoi(v); }},
      {"--first-ms", [&](const char* v) { options.first_ms = std::atoi(v); }},
      {"--period-ms", [&](const char* v) { options.period_ms = std::atoi(v); }}};
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--json") {
      options.json = true;
      continue;
    }
    const auto take = takes.find(argv[i]);
    if (take == takes.end() || i + 1 >= argc)
      throw std::runtime_error(fmt::format("unknown or unfinished: {}", argv[i]));
    take->second(argv[++i]);
  }
  if (options.seconds <= 0 || options.repeats < 1) throw std::runtime_error("--seconds and --repeats are above 0");
  return options;
}

void measure(const Options& options) {
  if (std::thread::hardware_concurrency() < 2) throw std::runtime_error("the bench takes two cores: server and client");
  std::vector<Row> rows;
  const auto wants = [&](char part) { return options.parts.find(part) != std::string::npos; };
  const std::string before = load_average();
  if (wants('a')) full_speed(rows, options, "a", 64, 1);
  if (wants('a')) full_speed(rows, options, "a", 512, 1);
  if (wants('b')) full_speed(rows, options, "b", 64, 8);
  if (wants('b')) full_speed(rows, options, "b", 512, 8);
  if (wants('c')) arrivals(rows, options, 2048, 20);
  if (wants('c')) arrivals(rows, options, 2048, 50);
  if (wants('c')) arrivals(rows, options, 8192, 10);
  if (wants('d')) memory(rows);
  if (wants('e')) open_loop(rows, options);
  if (wants('f')) command(rows, options);
  const std::string remark =
      fmt::format("{} cores; load average {} before, {} after; {} turns of {} s, medians; the bench ran {}",
                  std::thread::hardware_concurrency(), before, load_average(), options.repeats, options.seconds,
                  may_go_first() ? "before all else on its cores (SCHED_FIFO)" : "like everything else on its cores");
  fmt::print("{}\n", options.json ? json_of(rows, remark) : table_of(rows) + "\n" + remark);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = options_of(argc, argv);
    if (options.serve_port >= 0) {
      serve_alone(static_cast<std::uint16_t>(options.serve_port), Milliseconds(options.first_ms),
                  Milliseconds(options.period_ms));
    } else {
      measure(options);
    }
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "client_bench: {}\n", error.what());
    return 1;
  }
}
