// The clock jumps from event to event. A step of the engine is one event at its end; what becomes due or
// must be asked while it runs is told first, so that the course hears everything in order of time.

#include "engine/virtual_driver.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/releases.h"
#include "engine/block_hashes.h"
#include "engine/model.h"

namespace loadline {
namespace {

std::size_t users_in_virtual_time(const Plan& plan) {
  if (plan.level.kind != LevelKind::concurrency) return plan.requests.size();
  return std::max<std::size_t>(1, users_of(plan.level));
}

void need_lengths(const Plan& plan) {
  for (std::size_t i = 0; i < plan.requests.size(); ++i) {
    const Request& request = plan.requests[i].request;
    const bool has_prompt = request.prompt.length.value() > 0;
    if (has_prompt && request.completion.value() > 0) continue;
    throw Error(
        fmt::format("the {} of request {} of the plan is of unknown length, and virtual time needs the lengths of all "
                    "requests; use a log that has them, or `loadline run` against a server",
                    has_prompt ? "answer" : "prompt", i));
  }
}

class VirtualLevel {
 public:
  VirtualLevel(const Plan& plan, LevelCourse& course, const EngineParameters& parameters, LevelRecords& records)
      : plan_(plan),
        course_(course),
        records_(records),
        model_(parameters),
        now_(records.started),
        releases_(plan, users_in_virtual_time(plan)) {}
  void run();

 private:
  /// A request in flight; its index is the request's id in the model.
  struct Lane {
    std::uint32_t serial = 0;
    RunTime first{};
    std::int64_t last_unit = 0;  ///< of the last token, in gap units after the first one
    std::vector<std::uint32_t> gaps;
  };

  void ask() { phase_ = course_.phase(now_); }
  bool releasing() const { return phase_ < Phase::draining && !releases_.exhausted(); }
  std::optional<RunTime> next_due() const;
  std::optional<RunTime> next_event() const;
  void release_due();
  void release(const Release& release);
  void submit(RequestRecord& record, const Request& request);
  void refuse(RequestRecord& record);
  void run_step();
  void advance(RunTime until);
  void tell(const EngineStep& step);
  void stamp_tokens(RequestRecord& record, Lane& lane);
  void end(EngineId id);
  void censor();
  void conclude();

  const Plan& plan_;
  LevelCourse& course_;
  LevelRecords& records_;
  EngineModel model_;
  RunTime now_;
  Phase phase_ = Phase::warming_up;
  Releases releases_;
  std::vector<Lane> lanes_;
  std::vector<EngineId> free_lanes_;
  std::vector<std::uint64_t> hashes_;
};

void VirtualLevel::run() {
  records_.level = plan_.level;
  records_.ordinal = plan_.ordinal;
  records_.requests.assign(plan_.requests.size(), RequestRecord{});
  releases_.start(now_);
  course_.start(records_, now_);
  ask();
  release_due();
  while (phase_ != Phase::finished) {
    if (!model_.idle()) {
      run_step();
      continue;
    }
    // Nothing runs: without a request to come nothing will ever change.
    const std::optional<RunTime> next = releasing() ? next_event() : std::nullopt;
    if (!next) break;
    now_ = *next;
    ask();
    release_due();
  }
  conclude();
}

/// When the next planned request is due; absent where that depends on what ends.
std::optional<RunTime> VirtualLevel::next_due() const {
  if (!releasing()) return std::nullopt;
  const std::optional<RunTime> due = releases_.next_due();
  return due ? std::optional(std::max(now_, *due)) : std::nullopt;
}

std::optional<RunTime> VirtualLevel::next_event() const {
  std::optional<RunTime> event = next_due();
  const std::optional<RunTime> wake = course_.wake_at();
  if (wake && *wake > now_ && (!event || *wake < *event)) event = wake;
  return event;
}

void VirtualLevel::release_due() {
  while (releasing() && releases_.has_due(now_)) {
    ask();
    if (releasing()) release(*releases_.take(now_));
  }
}

void VirtualLevel::release(const Release& release) {
  const Request& request = plan_.requests[release.plan_index].request;
  RequestRecord& record = records_.requests[release.serial];
  begin_record(release, plan_, course_, record);
  record.sent = now_;
  course_.released(release.serial, now_);
  if (!can_serve(model_.parameters(), record.planned_prompt.value(), record.planned_completion.value())) {
    refuse(record);
    return;
  }
  submit(record, request);
}

void VirtualLevel::submit(RequestRecord& record, const Request& request) {
  if (free_lanes_.empty()) {
    free_lanes_.push_back(static_cast<EngineId>(lanes_.size()));
    lanes_.emplace_back();
  }
  const EngineId id = free_lanes_.back();
  free_lanes_.pop_back();
  lanes_[id].serial = record.serial;
  lanes_[id].gaps.clear();
  hashes_.clear();
  const std::int64_t found = request.prompt.found_in_cache.value();
  if (model_.parameters().prefix_cache && found == 0) {
    hash_recipe(request.prompt, plan_.blocks, plan_.block_size, model_.parameters().block_size, hashes_);
  }
  model_.submit(id, request.prompt.length.value(), request.completion.value(), hashes_, found);
}

void VirtualLevel::refuse(RequestRecord& record) {
  record.first_byte = record.closed = now_;
  record.http_status = 400;
  record.outcome = Outcome::http_4xx;
  record.message = "prompt and answer are longer than the engine can hold";
  releases_.ended(record.plan_index, now_);
  course_.ended(record.serial, now_);
}

void VirtualLevel::run_step() {
  const EngineStep& step = model_.step();
  const RunTime end = now_ + step.duration;
  advance(end);
  if (phase_ == Phase::finished) return;
  now_ = end;
  tell(step);
  ask();
  release_due();
}

/// What happens while a step runs: arrivals, which join the queue for the next one, and the course's own times.
void VirtualLevel::advance(RunTime until) {
  while (phase_ != Phase::finished) {
    const std::optional<RunTime> event = next_event();
    if (!event || *event >= until) return;
    now_ = *event;
    ask();
    release_due();
  }
}

void VirtualLevel::tell(const EngineStep& step) {
  for (const EngineId id : step.continued) {
    Lane& lane = lanes_[id];
    const std::int64_t unit = ((now_ - lane.first).count() + nanos_per_gap_unit / 2) / nanos_per_gap_unit;
    lane.gaps.push_back(static_cast<std::uint32_t>(unit - lane.last_unit));
    lane.last_unit = unit;
  }
  for (const EngineId id : step.started) {
    Lane& lane = lanes_[id];
    lane.first = now_;
    lane.last_unit = 0;
    RequestRecord& record = records_.requests[lane.serial];
    record.first_byte = record.first_token = record.first_answer = record.last_token = now_;
    record.http_status = 200;
    record.first_event_tokens = Tokens(1);
    course_.first_token(lane.serial, now_);
  }
  for (const EngineId id : step.ended) end(id);
}

/// The chunks that came: until the end nobody needs them in the record.
void VirtualLevel::stamp_tokens(RequestRecord& record, Lane& lane) {
  if (!record.first_token) return;
  record.events = static_cast<std::uint32_t>(lane.gaps.size() + 1);
  record.gaps = records_.gaps.append(lane.gaps);
}

void VirtualLevel::end(EngineId id) {
  Lane& lane = lanes_[id];
  RequestRecord& record = records_.requests[lane.serial];
  stamp_tokens(record, lane);
  record.last_token = record.closed = now_;
  record.prompt_tokens = record.planned_prompt;
  record.completion_tokens = record.planned_completion;
  record.cached_tokens = Tokens(model_.cached_tokens(id));
  record.token_source = TokenSource::server;
  record.outcome = Outcome::ok;
  free_lanes_.push_back(id);
  releases_.ended(record.plan_index, now_);
  course_.ended(lane.serial, now_);
}

void VirtualLevel::censor() {
  std::vector<bool> free(lanes_.size(), false);
  for (const EngineId id : free_lanes_) free[id] = true;
  for (EngineId id = 0; id < lanes_.size(); ++id) {
    if (free[id]) continue;
    RequestRecord& record = records_.requests[lanes_[id].serial];
    stamp_tokens(record, lanes_[id]);
    if (record.first_token) record.last_token = *record.first_token + Nanos(lanes_[id].last_unit * nanos_per_gap_unit);
    record.closed = now_;
    record.outcome = Outcome::censored;
  }
}

void VirtualLevel::conclude() {
  censor();
  records_.requests.resize(releases_.released());
  records_.requests.shrink_to_fit();
  records_.window_start = course_.window_start();
  records_.window_end = course_.window_end();
  records_.ended = now_;
  records_.state = "complete";
}

}  // namespace

void simulate_level(const Plan& plan, LevelCourse& course, const EngineParameters& parameters, LevelRecords& records) {
  need_lengths(plan);
  VirtualLevel(plan, course, parameters, records).run();
}

}  // namespace loadline
