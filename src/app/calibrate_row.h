#pragma once
// One load that the client was tried with, and what came of it.

#include <cstdint>
#include <optional>
#include <string>

#include "core/level.h"
#include "engine/metronome.h"

namespace loadline {

struct CalibrationLoad {
  LevelKind kind = LevelKind::concurrency;  ///< streams kept open, or one-token requests at a rate
  double target = 1;                        ///< streams, or requests/s
  double writes_per_s = 0;                  ///< of each stream; 0 for requests
  std::uint32_t tokens_per_write = 1;
  Phases phases = Phases::spread;

  double writes_offered_per_s() const { return kind == LevelKind::concurrency ? target * writes_per_s : target; }
  double events_offered_per_s() const { return writes_offered_per_s() * tokens_per_write; }
};

/// Who kept the load from being carried within the bounds.
enum class Fault : std::uint8_t { none, client, engine, machine };
/// "none", "client", "engine", "machine".
std::string_view name(Fault fault);

/// Errors are the client's stamps minus the engine's own: of the arrival of a write against the end of its system call.
struct CalibrationRow {
  CalibrationLoad load;
  std::uint32_t threads = 1;
  double measured_s = 0;
  std::uint64_t requests = 0, failed = 0;
  std::uint64_t first_tokens = 0, gaps = 0;  ///< compared
  double events_per_s = 0, writes_per_s = 0, requests_per_s = 0;
  double streams_open = 0;  ///< time mean
  /// Signed: below 0 the bytes arrived while the engine's call still lasted.
  std::optional<double> ttft_error_p1_ms, ttft_error_p50_ms, ttft_error_p99_ms;
  std::optional<double> gap_error_p50_ms, gap_error_p99_ms;  ///< absolute
  std::optional<double> read_lateness_p99_ms;
  std::optional<double> send_lateness_p50_ms, send_lateness_p99_ms, send_lateness_max_ms;
  std::optional<double> cpu_share;  ///< of the busiest thread
  std::optional<double> cpu_us_per_event;
  std::optional<double> engine_lateness_p99_ms;  ///< of its writes against their schedule
  std::optional<double> engine_cpu_us_per_write;
  /// Share of the time that a thread was ready to run and had no core: of client and engine, the one that waited most.
  std::optional<double> waited_share;

  bool client_in_bounds = false;  ///< its errors, lateness and CPU, whatever load came about
  Fault fault = Fault::none;
  std::string reason;  ///< what was out of its bounds; empty where nothing was
};

}  // namespace loadline
