#pragma once
// Takes finished requests from the I/O thread and writes them to run.sqlite from its own: the I/O thread
// waits for no disk. What has ended is on disk within half a second, so that a killed run is still reportable.

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "app/progress.h"
#include "report/run_store.h"

namespace loadline {

class Recorder {
 public:
  /// `progress` outlives the recorder, which refreshes it.
  Recorder(RunWriter writer, Progress& progress);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  void begin_level(std::uint32_t ordinal, const Level& level, RunTime started);
  /// The I/O thread's only call: hands over one finished request.
  void add(StoredRequest request);
  void window_opened(RunTime start);
  /// Writes what is left of the level and its end.
  void end_level(const LevelRecords& records);
  LevelCounts& counts() { return counts_; }

  /// The writer, for values and facts, while no level runs.
  RunWriter& writer() { return writer_; }
  /// Rethrows what the writing thread met (a full disk).
  void rethrow_failure();

 private:
  void work();
  void write_pending();

  std::mutex queue_mutex_;   ///< guards pending_, window_start_, running_, stop_
  std::mutex writer_mutex_;  ///< guards writer_, ordinal_, progress_
  std::condition_variable wake_;
  std::vector<StoredRequest> pending_;
  std::optional<RunTime> window_start_;
  bool running_ = false, stop_ = false;

  RunWriter writer_;
  Progress& progress_;
  LevelCounts counts_;
  std::uint32_t ordinal_ = 0;
  std::chrono::steady_clock::time_point level_began_{};
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace loadline
