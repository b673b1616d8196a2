#pragma once
// An I/O thread: carries one share of each level, with connections and a clock of its own.

#include <exception>
#include <functional>
#include <memory>
#include <thread>

#include "fleet/batch.h"
#include "fleet/split_plan.h"
#include "load/run_level.h"
#include "net/time_source.h"

namespace loadline {

/// A writer of bodies for one thread's use.
using BodyWriterSource = std::function<BodyWriter()>;

/// What all threads of a run are made from.
struct ClientMaker {
  std::vector<Destination> destinations;
  ClientSettings settings;
  BodyWriterSource body_writer;
  std::function<std::unique_ptr<TimeSource>()> time;  ///< another object for each thread, all of one start
  TextCount count_text{};                             ///< with settings.keep_texts; may be empty
};

class ShareThread {
 public:
  /// `maker` outlives the thread.
  explicit ShareThread(const ClientMaker& maker);
  /// Waits for the share's end.
  ~ShareThread();

  /// Carries `share` of `whole`: opens connections, says so on the board, starts when the board says, and ends when the
  /// board's phase is finished or `interrupted` is set. All outlive the share's end. One share at a time.
  void begin(const PlanShare& share, const Plan& whole, LevelBoard& board, const std::atomic<bool>& interrupted);
  /// After the last batch was taken: ends the thread's work, and rethrows what it met.
  void join();
  BatchSlot& slot() { return slot_; }

 private:
  void carry(const PlanShare& share, const Plan& whole, LevelBoard& board, const std::atomic<bool>& interrupted);

  const std::unique_ptr<TimeSource> time_;
  const BodyWriter write_body_;
  Client client_;
  BatchSlot slot_;
  std::thread thread_;
  std::exception_ptr failure_;
};

}  // namespace loadline
