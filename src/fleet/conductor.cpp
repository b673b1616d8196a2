// A share's batches are in order of time, and each says up to when it tells everything. The smallest of these instants
// is the horizon: no event before it can still come, so all up to it are told, the earliest first. The course then sees
// one row of events in order of time, some milliseconds late; that is how much later than by a single loop a phase
// begins. What belongs to the window is decided by `due`, so a late phase moves no request in or out of it.
#include "fleet/conductor.h"

#include <algorithm>

#include "core/error.h"
#include "core/releases.h"

namespace loadline {

Conductor::Conductor(const Plan& plan, const std::vector<PlanShare>& shares, LevelCourse& course, LevelRecords& records,
                     TextCount count_text)
    : plan_(plan),
      course_(course),
      records_(records),
      count_text_(std::move(count_text)),
      shares_(shares.size()),
      ended_(plan.requests.size(), 0) {
  for (std::size_t i = 0; i < shares.size(); ++i) shares_[i].plan_index = &shares[i].plan_index;
}

void Conductor::start(RunTime at) {
  started_ = true;
  records_.started = told_up_to_ = at;
  for (Share& share : shares_) share.up_to = at;
  course_.start(records_, at);
  phase_ = course_.phase(at);
}

void Conductor::add(std::size_t index, std::unique_ptr<Batch> batch) {
  Share& share = shares_.at(index);
  if (share.over) return;  // abandoned meanwhile
  check(batch->up_to >= share.up_to, "a share tells in order of time");
  share.up_to = batch->up_to;
  share.over = batch->is_last;
  if (batch->is_last) client_ = client_ ? together(*client_, batch->client) : batch->client;
  share.batches.push_back(std::move(batch));
}

bool Conductor::all_over() const {
  return std::ranges::all_of(shares_, [](const Share& share) { return share.over; });
}

/// The share whose next event is the earliest of all up to the horizon; null where there is none.
Conductor::Share* Conductor::earliest(RunTime horizon) {
  Share* first = nullptr;
  RunTime first_at = horizon;
  for (Share& share : shares_) {
    while (!share.batches.empty() && share.next_event == share.batches.front()->events.size()) {
      share.batches.pop_front();
      share.next_event = 0;
    }
    if (share.batches.empty()) continue;
    const RunTime at = share.batches.front()->events[share.next_event].at;
    if (at > horizon || (first != nullptr && at >= first_at)) continue;
    first = &share;
    first_at = at;
  }
  return first;
}

Phase Conductor::advance() {
  if (!started_) return phase_;
  RunTime horizon = RunTime::max();
  for (const Share& share : shares_) {
    if (!share.over) horizon = std::min(horizon, share.up_to);
  }
  while (Share* share = earliest(horizon)) tell(*share);
  if (horizon == RunTime::max()) {  // all are over
    for (const Share& share : shares_) told_up_to_ = std::max(told_up_to_, share.up_to);
  } else {
    told_up_to_ = std::max(told_up_to_, horizon);
  }
  if (phase_ != Phase::finished) phase_ = course_.phase(told_up_to_);
  return phase_;
}

Phase Conductor::pass(RunTime now) {
  told_up_to_ = std::max(told_up_to_, now);
  if (phase_ != Phase::finished) phase_ = course_.phase(told_up_to_);
  return phase_;
}

void Conductor::tell(Share& share) {
  Batch& batch = *share.batches.front();
  const ShareEvent& event = batch.events[share.next_event++];
  told_up_to_ = std::max(told_up_to_, event.at);
  if (event.kind == ShareEvent::Kind::released) return take_release(share, event);
  const std::uint32_t serial = share.serial.at(event.serial);
  if (event.kind == ShareEvent::Kind::first_token) {
    records_.requests[serial].first_token = event.instant;
    if (phase_ != Phase::finished) course_.first_token(serial, told_up_to_);
  } else {
    take_record(share, event, batch);
    if (event.kind == ShareEvent::Kind::ended && phase_ != Phase::finished) course_.ended(serial, told_up_to_);
  }
  if (phase_ != Phase::finished) phase_ = course_.phase(told_up_to_);
}

void Conductor::take_release(Share& share, const ShareEvent& event) {
  check(event.serial == share.serial.size(), "a share tells of its releases in order");
  const std::uint32_t serial = released_++;
  share.serial.push_back(serial);
  begin_record({serial, share.plan_index->at(event.plan_index), event.instant}, plan_, course_,
               records_.requests[serial]);
  if (phase_ == Phase::finished) return;
  course_.released(serial, told_up_to_);
  phase_ = course_.phase(told_up_to_);
}

/// The share's record in the level's place: only the share's own numbering is not the level's.
void Conductor::take_record(const Share& share, const ShareEvent& event, Batch& batch) {
  const std::uint32_t serial = share.serial.at(event.serial);
  check(ended_[serial] == 0, "a request ends once");
  ended_[serial] = 1;
  RequestRecord& place = records_.requests[serial];
  RequestRecord record = std::move(batch.records.at(event.record));
  record.serial = serial;
  record.plan_index = place.plan_index;
  record.warmup = place.warmup;
  const GapSpan span = record.gaps;
  check(std::size_t{span.first} + span.count <= batch.gaps.size(), "gaps lie in their batch");
  record.gaps = records_.gaps.append(std::span(batch.gaps).subspan(span.first, span.count));
  place = std::move(record);
  if (count_text_ && !batch.texts.empty()) count_text_(batch.texts[event.record], place);
}

void Conductor::abandon(std::size_t index, RunTime at, std::string why) {
  Share& share = shares_.at(index);
  if (share.over) return;
  share.over = true;
  share.gone = std::move(why);
  share.up_to = std::max(share.up_to, at);
  advance();  // the others need not wait for it any more
}

/// What a lost share had in flight: what came of it was not told.
void Conductor::close_abandoned(const Share& share) {
  for (const std::uint32_t serial : share.serial) {
    if (ended_[serial] != 0) continue;
    ended_[serial] = 1;
    RequestRecord& record = records_.requests[serial];
    record.outcome = Outcome::censored;
    record.first_token.reset();
    record.closed = std::max(share.up_to, record.due.value_or(share.up_to));
    record.message = *share.gone;
  }
}

void Conductor::finish(bool interrupted) {
  check(all_over(), "a level ends when all its shares have");
  for (const Share& share : shares_) {
    if (share.gone) close_abandoned(share);
  }
  records_.requests.resize(released_);
  records_.ended = told_up_to_;
  records_.window_start = course_.window_start();
  records_.window_end = course_.window_end();
  records_.state = interrupted ? "interrupted" : "complete";
  if (client_) records_.client = *client_;
}

}  // namespace loadline
