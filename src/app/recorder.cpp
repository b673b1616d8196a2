#include "app/recorder.h"

#include <utility>

namespace loadline {
namespace {
constexpr auto refresh_interval = std::chrono::milliseconds(200);
}

Recorder::Recorder(RunWriter writer, Progress& progress) : writer_(std::move(writer)), progress_(progress) {
  thread_ = std::thread([this] { work(); });
}

Recorder::~Recorder() {
  {
    const std::lock_guard lock(queue_mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Recorder::begin_level(std::uint32_t ordinal, const Level& level, RunTime started) {
  const std::scoped_lock lock(queue_mutex_, writer_mutex_);
  ordinal_ = ordinal;
  counts_.released = counts_.ended = counts_.failed = 0;
  counts_.phase = Phase::warming_up;
  level_began_ = std::chrono::steady_clock::now();
  writer_.begin_level(ordinal, level, started);
  progress_.begin_level(level, ordinal);
  running_ = true;
}

void Recorder::add(StoredRequest request) {
  const std::lock_guard lock(queue_mutex_);
  pending_.push_back(std::move(request));
}

void Recorder::window_opened(RunTime start) {
  const std::lock_guard lock(queue_mutex_);
  window_start_ = start;
}

void Recorder::end_level(const LevelRecords& records) {
  write_pending();
  rethrow_failure();
  const std::scoped_lock lock(queue_mutex_, writer_mutex_);
  running_ = false;
  writer_.window(records.ordinal, records.window_start, records.window_end);
  writer_.put_client(records.ordinal, records.client);
  writer_.end_level(records.ordinal, records.ended, records.state);
}

void Recorder::rethrow_failure() {
  const std::lock_guard lock(writer_mutex_);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Recorder::write_pending() {
  std::vector<StoredRequest> batch;
  std::optional<RunTime> window_start;
  const std::lock_guard writing(writer_mutex_);
  {
    const std::lock_guard lock(queue_mutex_);
    batch.swap(pending_);
    window_start = std::exchange(window_start_, std::nullopt);
  }
  try {
    if (!batch.empty()) writer_.append(ordinal_, batch);
    if (window_start) writer_.window(ordinal_, window_start, std::nullopt);
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
  }
}

void Recorder::work() {
  std::unique_lock lock(queue_mutex_);
  while (!stop_) {
    wake_.wait_for(lock, refresh_interval);
    if (stop_) break;
    const bool running = running_;
    lock.unlock();
    if (running) {
      write_pending();
      const std::lock_guard writing(writer_mutex_);
      progress_.refresh(counts_,
                        std::chrono::duration<double>(std::chrono::steady_clock::now() - level_began_).count());
    }
    lock.lock();
  }
}

}  // namespace loadline
