#include "app/recording_course.h"

namespace loadline {

void RecordingCourse::start(const LevelRecords& records, RunTime now) {
  records_ = &records;
  recorder_.begin_level(records.ordinal, records.level, now);
  told_.assign(records.requests.size(), false);
  course_.start(records, now);
}

void RecordingCourse::released(std::uint32_t serial, RunTime now) {
  recorder_.counts().released.fetch_add(1, std::memory_order_relaxed);
  course_.released(serial, now);
}

void RecordingCourse::ended(std::uint32_t serial, RunTime now) {
  course_.ended(serial, now);
  recorder_.counts().ended.fetch_add(1, std::memory_order_relaxed);
  if (failed(records_->requests[serial].outcome)) recorder_.counts().failed.fetch_add(1, std::memory_order_relaxed);
  hand_over(serial);
}

void RecordingCourse::hand_over(std::uint32_t serial) {
  const RequestRecord& record = records_->requests[serial];
  const std::span<const std::uint32_t> gaps = records_->gaps.at(record.gaps);
  recorder_.add({record, {gaps.begin(), gaps.end()}});
  told_[serial] = true;
}

void RecordingCourse::hand_over_the_rest() {
  for (std::uint32_t serial = 0; serial < records_->requests.size(); ++serial) {
    if (!told_[serial]) hand_over(serial);
  }
}

Phase RecordingCourse::phase(RunTime now) {
  const Phase phase = course_.phase(now);
  recorder_.counts().phase.store(phase, std::memory_order_relaxed);
  if (!window_told_ && course_.window_start()) {
    recorder_.window_opened(*course_.window_start());
    window_told_ = true;
  }
  return phase;
}

}  // namespace loadline
