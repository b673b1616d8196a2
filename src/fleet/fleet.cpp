// The threads open their connections and say that they are ready; the conductor agrees a start that lies a little
// ahead, and all start then. From there on the two sides share three things: a slot for batches in each thread, the
// phase, and nothing else. Shares of other ranks are no different: their slots and the phase go through messages.
#include "fleet/fleet.h"

#include <algorithm>

#include "core/error.h"

namespace loadline {
namespace {

constexpr auto conductor_interval = std::chrono::milliseconds(1);
// Wall: by then every thread, or every machine, has heard of the start.
constexpr Nanos start_ahead = std::chrono::milliseconds(5), start_ahead_of_others = std::chrono::milliseconds(100);
// After a stop the other ranks were told to stop too; a launcher that ends them gives all of us about a second.
constexpr Nanos patience_after_stop = std::chrono::milliseconds(400);

}  // namespace

struct Fleet::RunningLevel {
  const Plan& plan;
  std::vector<PlanShare> shares;
  LevelCourse& course;
  Conductor conductor;
  const std::atomic<bool>& interrupted;
  LevelBoard board;
  std::uint32_t local = 0;  ///< shares of this process
  Phase phase = Phase::warming_up;
  std::optional<RunTime> stopped;  ///< when a stop was first seen

  RunningLevel(const Plan& whole, std::size_t most_shares, LevelCourse& rules, LevelRecords& records,
               const TextCount& count_text, const std::atomic<bool>& stop)
      : plan(whole),
        shares(split_plan(whole, shares_of(whole.level, most_shares))),
        course(rules),
        conductor(whole, shares, rules, records, count_text),
        interrupted(stop) {}
};

Fleet::Fleet(ClientMaker maker, std::size_t threads, TimeSource& time, RemoteShares* others)
    : maker_(std::move(maker)), time_(time), others_(others) {
  check(threads >= 1, "a fleet has a thread");
  for (std::size_t i = 0; i < threads; ++i) threads_.push_back(std::make_unique<ShareThread>(maker_));
}

void Fleet::run_level(const Plan& plan, LevelCourse& course, LevelRecords& records,
                      const std::atomic<bool>& interrupted) {
  check(!lost_, "a fleet that has lost a rank runs no further level");
  records = LevelRecords{};
  records.level = plan.level;
  records.ordinal = plan.ordinal;
  records.requests.resize(plan.requests.size());
  RunningLevel level(plan, threads_.size() * static_cast<std::size_t>(ranks()), course, records, maker_.count_text,
                     interrupted);
  begin(level);
  try {
    agree_start(level);
    conduct(level);
  } catch (...) {
    end_threads(level);
    throw;
  }
  for (std::size_t share = 0; share < level.shares.size(); ++share) {
    if (is_local(share)) thread_of(share).join();
  }
  wait_for_course(level);
  level.conductor.finish(interrupted || lost_);
  if (others_ == nullptr) return;
  records.client.machines = static_cast<std::uint32_t>(ranks());
  if (const auto residual = others_->clock_residual()) records.client.clock_residual_us = 1e6 * seconds(*residual);
}

void Fleet::begin(RunningLevel& level) {
  if (others_ != nullptr) others_->carry(level.plan, level.shares);
  for (std::size_t share = 0; share < level.shares.size(); ++share) {
    if (!is_local(share)) continue;
    thread_of(share).begin(level.shares[share], level.plan, level.board, level.interrupted);
    ++level.local;
  }
}

/// Waits until all threads of all ranks are ready; their patience with connections is bounded.
void Fleet::agree_start(RunningLevel& level) {
  const auto all_ready = [&] {
    return level.board.ready.load(std::memory_order_acquire) >= level.local &&
           (others_ == nullptr || others_->all_ready());
  };
  while (!all_ready() && !level.interrupted && !level.board.failed && !lost_) {
    watch_others(level);
    std::this_thread::sleep_for(conductor_interval);
  }
  const RunTime start = time_.now() + run_span(time_, others_ != nullptr ? start_ahead_of_others : start_ahead);
  level.conductor.start(start);
  if (others_ != nullptr) others_->start(start);
  level.board.start_ns.store(start.time_since_epoch().count(), std::memory_order_release);
}

void Fleet::conduct(RunningLevel& level) {
  while (!level.conductor.all_over() && !level.board.failed) {
    for (std::size_t share = 0; share < level.shares.size(); ++share) {
      if (!is_local(share)) continue;
      if (auto batch = thread_of(share).slot().take()) level.conductor.add(share, std::move(batch));
    }
    level.phase = level.conductor.advance();
    if (lost_) level.phase = Phase::finished;
    level.board.phase.store(level.phase, std::memory_order_release);
    watch_others(level);
    std::this_thread::sleep_for(conductor_interval);
  }
  if (level.board.failed) level.board.phase.store(Phase::finished);
}

/// Ends and awaits all threads, whatever they met.
void Fleet::end_threads(RunningLevel& level) {
  level.board.failed.store(true);
  level.board.phase.store(Phase::finished);
  for (std::size_t share = 0; share < level.shares.size(); ++share) {
    if (!is_local(share)) continue;
    try {
      thread_of(share).join();
    } catch (const std::exception&) {
      // what ended the level is told instead
    }
  }
}

/// Hears the other ranks, tells them the phase, and notices when one is lost.
void Fleet::watch_others(RunningLevel& level) {
  if (others_ == nullptr) return;
  others_->publish(level.phase, level.course);
  others_->listen(level.conductor);
  if (const auto trouble = others_->trouble(level.conductor, time_.now()); trouble && !lost_) lost_ = trouble;
  // A launcher that has lost a rank tells the others to stop: then it is said which.
  if (level.interrupted && !lost_) lost_ = others_->silent_rank();
  if (!level.interrupted && !lost_) return;
  if (!level.stopped) level.stopped = time_.now();
  if (time_.now() - *level.stopped > run_span(time_, patience_after_stop)) {
    others_->abandon_all(level.conductor, time_.now(), lost_.value_or("the run was stopped"));
  }
}

/// The plan is used up and answered. A window that closes by time is waited for, within reason.
void Fleet::wait_for_course(RunningLevel& level) {
  level.phase = level.conductor.advance();
  const RunTime limit = time_.now() + maker_.settings.timeouts.total;
  while (level.phase != Phase::finished && level.course.wake_at() && !level.interrupted && !lost_ &&
         time_.now() < limit) {
    std::this_thread::sleep_for(conductor_interval);
    level.phase = level.conductor.pass(time_.now());
  }
}

}  // namespace loadline
