#include "app/calibrate_load.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "app/calibrate_course.h"
#include "app/calibrate_errors.h"
#include "app/calibrate_limits.h"
#include "app/calibrate_plan.h"
#include "app/thread_waits.h"
#include "fleet/fleet.h"
#include "measure/output_arrivals.h"
#include "statistics/percentile.h"

namespace loadline {
namespace {

constexpr Nanos least_warmup = std::chrono::milliseconds(300);
constexpr std::uint64_t files_beside = 64;

/// CPU time and waiting so far, at an instant.
struct Reading {
  RunTime at{};
  double process_s = 0, engine_s = 0;
  ThreadWaits waits;
};

double process_cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds_of = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

std::optional<double> quantile(const std::vector<double>& values, double share) {
  return values.empty() ? std::nullopt : std::optional(percentile(values, share));
}

Pace pace_of(const CalibrationLoad& load) {
  if (load.kind == LevelKind::request_rate) return {};
  return {nanos(Seconds(1 / load.writes_per_s)), load.tokens_per_write, load.phases,
          static_cast<std::uint32_t>(load.target)};
}

/// The threads of a run, with nothing of a run but the address.
ClientMaker maker_of(const Metronome& metronome, Nanos monotonic_start) {
  Destination destination;
  destination.addresses = {loopback_address(metronome.port())};
  destination.host = fmt::format("127.0.0.1:{}", metronome.port());
  ClientMaker maker;
  maker.destinations = {destination};
  maker.body_writer = [] { return BodyWriter(write_calibration_body); };
  maker.time = [monotonic_start] { return std::make_unique<SystemTime>(1.0, monotonic_start); };
  return maker;
}

/// Mean over the window of requests between their send and their end.
double mean_open(const LevelRecords& records, const Window& window) {
  double open_s = 0;
  for (const RequestRecord& record : records.requests) {
    if (!record.sent || !record.closed) continue;
    open_s += std::max(0.0, seconds(std::min(*record.closed, window.end) - std::max(*record.sent, window.start)));
  }
  return open_s / window.seconds();
}

void tell_books(const LevelRecords& records, const Window& window, CalibrationRow& row) {
  std::uint64_t sent = 0;
  for (const RequestRecord& record : records.requests) {
    const bool lacked = record.outcome == Outcome::unsent && !record.message.empty();
    row.failed += failed(record.outcome) || lacked ? 1 : 0;
    sent += record.sent && window.holds(*record.sent) ? 1 : 0;
  }
  row.requests = records.requests.size();
  row.requests_per_s = static_cast<double>(sent) / window.seconds();
  row.streams_open = mean_open(records, window);
}

void tell_client(const LevelRecords& records, CalibrationRow& row) {
  const ClientSelf& client = records.client;
  row.threads = std::max(1U, client.threads);
  row.read_lateness_p99_ms = client.read_lateness_p99_ms;
  row.send_lateness_p50_ms = client.send_lateness_p50_ms;
  row.send_lateness_p99_ms = client.send_lateness_p99_ms;
  row.send_lateness_max_ms = client.send_lateness_max_ms;
  row.cpu_share = client.cpu_share;
}

void tell_errors(const LevelRecords& records, const Metronome& metronome, CalibrationRow& row) {
  const ArrivalErrors errors = arrival_errors(records, metronome.stamps());
  row.first_tokens = errors.ttft_ms.size();
  row.gaps = errors.gap_ms.size();
  row.ttft_error_p1_ms = quantile(errors.ttft_ms, 0.01);
  row.ttft_error_p50_ms = quantile(errors.ttft_ms, 0.50);
  row.ttft_error_p99_ms = quantile(errors.ttft_ms, 0.99);
  row.gap_error_p50_ms = quantile(errors.gap_ms, 0.50);
  row.gap_error_p99_ms = quantile(errors.gap_ms, 0.99);
  row.engine_lateness_p99_ms = quantile(errors.engine_lateness_ms, 0.99);
}

/// Per write of the engine and per event of the client, between two readings.
void tell_costs(const LevelRecords& records, const Metronome& metronome, const Reading& from, const Reading& to,
                CalibrationRow& row) {
  const Window between{from.at, to.at};
  const double events = static_cast<double>(output_arrivals(records, between).events);
  double writes = 0;
  for (const StreamStamps& stream : metronome.stamps()) {
    writes += static_cast<double>(
        std::ranges::count_if(stream.writes, [&](const WriteStamp& write) { return between.holds(write.end); }));
  }
  const double engine_s = to.engine_s - from.engine_s, client_s = to.process_s - from.process_s - engine_s;
  if (events > 0) row.cpu_us_per_event = 1e6 * std::max(0.0, client_s) / events;
  row.waited_share = waited_share(from.waits, to.waits, to.at - from.at);
  if (writes > 0) row.engine_cpu_us_per_write = 1e6 * engine_s / writes;
}

}  // namespace

std::uint64_t files_needed(const CalibrationLoad& load) {
  return 2 * static_cast<std::uint64_t>(load.target) + files_beside;
}

CalibrationRow try_load(const CalibrationLoad& load, Nanos duration, std::uint32_t threads,
                        const std::atomic<bool>& interrupted) {
  SystemTime time;
  Metronome metronome(pace_of(load), time);
  metronome.start();
  std::vector<Reading> readings;
  // Two writes of each stream: then all of them flow.
  const Nanos warmup = std::max({least_warmup, duration / 4, 2 * pace_of(load).period});
  CalibrateCourse course(warmup, duration, [&] {
    readings.push_back({time.now(), process_cpu_seconds(), metronome.cpu_seconds(), thread_waits()});
  });
  LevelRecords records;
  {
    Fleet fleet(maker_of(metronome, time.monotonic_start()), threads, time);
    fleet.run_level(plan_of(load, duration, warmup + duration), course, records, interrupted);
  }
  metronome.stop();

  CalibrationRow row;
  row.load = load;
  tell_client(records, row);
  if (records.window_start && records.window_end) {
    const Window window{*records.window_start, *records.window_end};
    const OutputArrivals arrived = output_arrivals(records, window);
    row.measured_s = window.seconds();
    row.events_per_s = static_cast<double>(arrived.events) / window.seconds();
    row.writes_per_s = static_cast<double>(arrived.reads) / window.seconds();
    tell_books(records, window, row);
    tell_errors(records, metronome, row);
    if (readings.size() == 2) tell_costs(records, metronome, readings[0], readings[1], row);
  }
  judge(row);
  return row;
}

}  // namespace loadline
