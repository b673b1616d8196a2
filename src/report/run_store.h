#pragma once
// The run file: everything that a run measured, written as results come, so that a killed run is still
// reportable and can be continued. Knows neither HTTP nor statistics.
//
// FOLDER/run.sqlite, user_version 1. Instants are ns after the run's start, in engine time; NULL = absent.
//   run(key, value)          free text: schema, version, command, plan, seed, started, host facts, ...
//                            level/ORDINAL/arrivals  closed | constant | poisson | gamma | trace
//                            level/ORDINAL/burstiness     of gamma arrivals
//                            level/ORDINAL/arrival_scale  of trace arrivals
//                            level/ORDINAL/ramp_s         of closed levels, where there is one
//                            level/ORDINAL/max_in_flight  of open levels, where there is one
//                            level/ORDINAL/purpose   listed | ladder | ramp | step | visit | backward
//                            level/ORDINAL/pass      of repeated sweeps, from 1 on (0 is not written)
//                            level/ORDINAL/requests  measured, where the sweep fixed their number
//                            level/ORDINAL/client    JSON of ClientSelf (run_client.h)
//   fact(key, value, source)
//   level(id = ordinal, kind, target, started_ns, window_start_ns, window_end_ns, ended_ns, state)
//   request(id = level * 2^32 + serial, level, serial, ...)      serial: order of release; the plan's index is not kept
//   gap(request, data)       data: u32 deltas of consecutive output chunks in ns/100, little endian
//   doubt(id, level, invalidates, text)

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/doubt.h"
#include "core/fact.h"
#include "core/level.h"
#include "core/record.h"
#include "core/units.h"

namespace loadline {

/// A finished request with its gaps (ns/100); `record.gaps` is not looked at.
struct StoredRequest {
  RequestRecord record;
  std::vector<std::uint32_t> gaps;
};

/// Writes one run. One thread at a time. What a call has written survives the kill of the process (not always
/// the fall of the machine: the last moments may be missing then, the file stays whole). Throws Error when
/// the disk refuses.
class RunWriter {
 public:
  /// Creates `folder` (and its parents) and its run.sqlite. A `folder` that exists is an Error: nothing is overwritten.
  explicit RunWriter(const std::string& folder);
  /// Opens the run in `folder` to continue it; levels still "running" become "interrupted". The same Errors as
  /// RunReader.
  static RunWriter resume(const std::string& folder);
  RunWriter(RunWriter&&) noexcept;
  RunWriter& operator=(RunWriter&&) noexcept;
  /// Closes the file; without finish() the run stays readable, with its side files beside it.
  ~RunWriter();

  /// A value of that key, in place of any before.
  void put(std::string_view key, std::string_view value);
  /// All facts, in place of those before; of two with one key the first stays.
  void put_facts(const std::vector<Fact>& facts);
  /// All doubts (of run and levels), in place of those before.
  void put_doubts(const std::vector<Doubt>& doubts);

  /// A level starts: state "running". An ordinal that the run has already is a Bug.
  void begin_level(std::uint32_t ordinal, const Level& level, RunTime started);
  /// One transaction: finished requests with their gaps. A serial that the level has already is a Bug, and so is a
  /// record that RunReader would refuse: then nothing of the batch is written.
  void append(std::uint32_t ordinal, std::span<const StoredRequest> batch);
  /// The same for `records.requests[position]`, with gaps from `records.gaps`.
  void append(const LevelRecords& records, std::span<const std::uint32_t> positions);
  void window(std::uint32_t ordinal, std::optional<RunTime> start, std::optional<RunTime> end);
  void put_client(std::uint32_t ordinal, const ClientSelf& client);
  /// `state`: "complete" or "interrupted".
  void end_level(std::uint32_t ordinal, RunTime ended, std::string_view state);

  /// The run is over: everything moves into the one file run.sqlite. The last call.
  void finish();

 private:
  struct Store;
  explicit RunWriter(std::unique_ptr<Store> store);
  std::unique_ptr<Store> store_;
};

}  // namespace loadline
