// The threads open their connections and say that they are ready; the conductor agrees a start that lies a little
// ahead, and all start then. From there on the two sides share three things: a slot for batches in each thread, the
// phase, and nothing else.
#include "fleet/fleet.h"

#include <algorithm>

#include "core/error.h"
#include "fleet/conductor.h"

namespace loadline {
namespace {

constexpr auto conductor_interval = std::chrono::milliseconds(1);
constexpr Nanos start_ahead = std::chrono::milliseconds(5);  // wall: all threads have seen it by then

/// Waits until all threads are ready; their patience with connections is bounded.
void agree_start(LevelBoard& board, std::size_t shares, TimeSource& time, const std::atomic<bool>& interrupted) {
  while (board.ready.load(std::memory_order_acquire) < shares && !interrupted && !board.failed) {
    std::this_thread::sleep_for(conductor_interval);
  }
  const RunTime start = time.now() + run_span(time, start_ahead);
  board.start_ns.store(start.time_since_epoch().count(), std::memory_order_release);
}

}  // namespace

Fleet::Fleet(ClientMaker maker, std::size_t threads, TimeSource& time) : maker_(std::move(maker)), time_(time) {
  check(threads >= 1, "a fleet has a thread");
  for (std::size_t i = 0; i < threads; ++i) threads_.push_back(std::make_unique<ShareThread>(maker_));
}

bool Fleet::clock_stepped() const {
  return std::ranges::any_of(threads_, [](const auto& thread) { return thread->clock_stepped(); });
}

void Fleet::run_level(const Plan& plan, LevelCourse& course, LevelRecords& records,
                      const std::atomic<bool>& interrupted) {
  records = LevelRecords{};
  records.level = plan.level;
  records.ordinal = plan.ordinal;
  records.requests.resize(plan.requests.size());
  const std::vector<PlanShare> shares = split_plan(plan, shares_of(plan.level, threads_.size()));
  Conductor conductor(plan, shares, course, records);
  LevelBoard board;
  for (std::size_t i = 0; i < shares.size(); ++i) threads_[i]->begin(shares[i], plan, board, interrupted);
  agree_start(board, shares.size(), time_, interrupted);
  conductor.start(RunTime(Nanos(board.start_ns.load())));
  while (!conductor.all_over() && !board.failed) {
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if (auto batch = threads_[i]->slot().take()) conductor.add(i, std::move(batch));
    }
    board.phase.store(conductor.advance(), std::memory_order_release);
    std::this_thread::sleep_for(conductor_interval);
  }
  if (board.failed) board.phase.store(Phase::finished);
  for (std::size_t i = 0; i < shares.size(); ++i) threads_[i]->join();
  Phase phase = conductor.advance();
  // The plan is used up and answered. A window that closes by time is waited for, within reason.
  const RunTime limit = time_.now() + maker_.settings.timeouts.total;
  while (phase != Phase::finished && course.wake_at() && !interrupted && time_.now() < limit) {
    std::this_thread::sleep_for(conductor_interval);
    phase = conductor.pass(time_.now());
  }
  conductor.finish(interrupted);
}

}  // namespace loadline
