#include "fleet/share_course.h"

#include <algorithm>
#include <thread>

#include "core/error.h"

namespace loadline {

ShareCourse::ShareCourse(LevelRecords& records, BatchSlot& slot, const LevelBoard& board, Nanos interval)
    : records_(records), slot_(slot), board_(board), interval_(interval), batch_(std::make_unique<Batch>()) {}

void ShareCourse::start(const LevelRecords& records, RunTime now) {
  check(&records == &records_, "a share's course collects its own records");
  told_.assign(records.requests.size(), false);
  next_batch_ = now;
}

void ShareCourse::add(ShareEvent::Kind kind, std::uint32_t serial, RunTime now) {
  batch_->events.push_back({.kind = kind, .at = now, .serial = serial});
}

void ShareCourse::released(std::uint32_t serial, RunTime now) {
  add(ShareEvent::Kind::released, serial, now);
  const RequestRecord& record = records_.requests[serial];
  batch_->events.back().plan_index = record.plan_index;
  batch_->events.back().instant = record.due.value_or(now);
}

void ShareCourse::first_token(std::uint32_t serial, RunTime now) {
  add(ShareEvent::Kind::first_token, serial, now);
  batch_->events.back().instant = records_.requests[serial].first_token.value_or(now);
}

void ShareCourse::ended(std::uint32_t serial, RunTime now) {
  add_record(ShareEvent::Kind::ended, serial, now);
  ++ended_;
  records_.gaps.clear();  // they are the conductor's now; this request's were the only ones here
}

void ShareCourse::add_record(ShareEvent::Kind kind, std::uint32_t serial, RunTime now) {
  add(kind, serial, now);
  batch_->events.back().record = static_cast<std::uint32_t>(batch_->records.size());
  batch_->records.push_back(std::move(records_.requests[serial]));
  RequestRecord& record = batch_->records.back();
  const std::span<const std::uint32_t> gaps = records_.gaps.at(record.gaps);
  record.gaps = {0, static_cast<std::uint32_t>(batch_->gaps.size()), static_cast<std::uint32_t>(gaps.size())};
  batch_->gaps.insert(batch_->gaps.end(), gaps.begin(), gaps.end());
  if (!records_.texts.empty()) batch_->texts.push_back(std::move(records_.texts[serial]));
  told_[serial] = true;
}

std::optional<RunTime> ShareCourse::wake_at() const {
  const std::size_t most = records_.level.most_releases;
  const std::size_t all = most > 0 ? std::min(most, told_.size()) : told_.size();
  return ended_ < all ? std::optional(next_batch_) : std::nullopt;
}

Phase ShareCourse::phase(RunTime now) {
  if (now >= next_batch_) {
    next_batch_ = now + interval_;  // also where the conductor is busy: then the next batch is larger
    if (slot_.is_free()) hand_over(now);
  }
  return board_.phase.load(std::memory_order_acquire);
}

void ShareCourse::hand_over(RunTime now) {
  batch_->up_to = now;
  slot_.put(std::move(batch_));
  batch_ = std::make_unique<Batch>();
}

void ShareCourse::finish() {
  for (std::uint32_t serial = 0; serial < records_.requests.size(); ++serial) {
    if (!told_[serial]) add_record(ShareEvent::Kind::cancelled, serial, records_.ended);
  }
  batch_->is_last = true;
  batch_->client = records_.client;
  while (!slot_.is_free() && !board_.failed) std::this_thread::sleep_for(std::chrono::microseconds(200));
  if (slot_.is_free()) hand_over(records_.ended);
}

}  // namespace loadline
