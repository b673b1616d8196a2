#include "fleet/share_thread.h"

#include "fleet/share_course.h"

namespace loadline {
namespace {

constexpr Nanos batch_interval = std::chrono::milliseconds(2);  // wall
constexpr auto look_for_start = std::chrono::microseconds(200);

RunTime wait_for_start(LevelBoard& board, TimeSource& time, const std::atomic<bool>& interrupted) {
  board.ready.fetch_add(1, std::memory_order_acq_rel);
  std::int64_t start = 0;
  while ((start = board.start_ns.load(std::memory_order_acquire)) == 0) {
    if (interrupted || board.phase.load(std::memory_order_acquire) == Phase::finished) return time.now();
    std::this_thread::sleep_for(look_for_start);
  }
  return RunTime(Nanos(start));
}

}  // namespace

ShareThread::ShareThread(const ClientMaker& maker)
    : time_(maker.time()), write_body_(maker.body_writer()), client_(maker.destinations, maker.settings, *time_) {}

ShareThread::~ShareThread() {
  if (thread_.joinable()) thread_.join();
}

void ShareThread::begin(const PlanShare& share, const Plan& whole, LevelBoard& board,
                        const std::atomic<bool>& interrupted) {
  failure_ = nullptr;
  thread_ = std::thread([&, this] {
    try {
      carry(share, whole, board, interrupted);
    } catch (...) {
      failure_ = std::current_exception();
      board.failed.store(true, std::memory_order_release);
    }
  });
}

void ShareThread::carry(const PlanShare& share, const Plan& whole, LevelBoard& board,
                        const std::atomic<bool>& interrupted) {
  LevelRecords records;
  ShareCourse course(records, slot_, board, run_span(*time_, batch_interval));
  // Bodies come from the whole plan, which has the blocks.
  const BodyWriter write_body = [&](const Plan&, std::uint32_t index, std::string& body) {
    write_body_(whole, share.plan_index[index], body);
  };
  client_.run_level(share.plan, course, write_body, records, interrupted,
                    [&] { return wait_for_start(board, *time_, interrupted); });
  course.finish();
}

void ShareThread::join() {
  if (thread_.joinable()) thread_.join();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace loadline
