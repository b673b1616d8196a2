// The window is a pair of instants and R is what is due between them, so that a stored run finds the same R by
// `due` alone. Instants can coincide (in virtual time often): the window opens after the last request already
// released and closes after the last one that belongs to it, each by 1 ns where it has to.

#include "measure/standard_course.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace loadline {
namespace {

constexpr double few_users = 4;
// So many failures and nothing else: a target that is down, not one that is slow to start.
constexpr std::uint64_t least_all_failed = 50, all_failed_per_user = 4;
constexpr Nanos one_tick(1);
constexpr Nanos least_cool_down = std::chrono::seconds(600);

std::optional<RunTime> earlier(std::optional<RunTime> a, std::optional<RunTime> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

}  // namespace

StandardCourse::StandardCourse(Level level, LevelRules rules)
    : level_(level), rules_(std::move(rules)), checks_(rules_) {
  if (is_open_loop()) queue_.emplace(level_.target, rules_.expected_e2e);
  needs_end_ = std::ranges::any_of(rules_.objectives, [](const Objective& o) { return o.metric != Latency::ttft; });
  first_count_ = is_open_loop() ? 0 : static_cast<std::uint64_t>(std::max<long long>(1, std::llround(level_.target)));
  if (rules_.warmup_requests) first_count_ = *rules_.warmup_requests;
}

void StandardCourse::start(const LevelRecords& records, RunTime now) {
  records_ = &records;
  plan_size_ = records.requests.size();
  progress_.resize(plan_size_, Progress::unknown);
  is_member_.resize(plan_size_, 0);
  is_first_.resize(plan_size_, 0);
  started_ = latest_ = now;
  next_sample_ = now + std::chrono::seconds(1);
  if (rules_.warmup_requests == 0u) open_window(now);
}

void StandardCourse::released(std::uint32_t serial, RunTime now) {
  check(records_ != nullptr && serial < records_->requests.size(), "a released request has a record");
  latest_ = std::max(latest_, now);
  if (serial >= progress_.size()) {
    progress_.resize(serial + 1, Progress::unknown);
    is_member_.resize(serial + 1, 0);
    is_first_.resize(serial + 1, 0);
  }
  sample_queue(now - one_tick);
  const RequestRecord& record = records_->requests[serial];
  const RunTime due = record.due.value_or(now);
  progress_[serial] = Progress::in_flight;
  ++in_flight_;
  if (++released_count_ <= first_count_) is_first_[serial] = 1;
  if (end_is_pending_ && phase_ == Phase::cooling_down) {
    set_window_end(due);
  } else if (belongs_to_window(due)) {
    members_.push_back(serial);
    is_member_[serial] = 1;
  }
  last_due_ = std::max(last_due_.value_or(due), due);
  if (!record.sent && record.closed) end_request(serial);
}

bool StandardCourse::belongs_to_window(RunTime due) const {
  if (!window_start_ || due < *window_start_) return false;
  if (window_end_) return due < *window_end_;
  const std::optional<Nanos> limit = window_limit();
  return !limit || due < *window_start_ + *limit;
}

void StandardCourse::first_token(std::uint32_t serial, RunTime now) {
  latest_ = std::max(latest_, now);
  if (progress_.at(serial) == Progress::in_flight) progress_[serial] = Progress::has_token;
}

void StandardCourse::ended(std::uint32_t serial, RunTime now) {
  latest_ = std::max(latest_, now);
  sample_queue(now - one_tick);
  end_request(serial);
}

void StandardCourse::end_request(std::uint32_t serial) {
  Progress& progress = progress_.at(serial);
  check(progress != Progress::unknown, "a request ends after it was released");
  if (progress == Progress::has_ended) return;
  progress = Progress::has_ended;
  --in_flight_;
  ++ended_count_;
  first_ended_ += is_first_[serial];
  members_ended_ += is_member_[serial];
  const Outcome outcome = records_->requests[serial].outcome;
  succeeded_ += succeeded(outcome) ? 1 : 0;
  failed_ += failed(outcome) ? 1 : 0;
}

bool StandardCourse::all_failed() const {
  const std::uint64_t users = is_open_loop() ? 0 : static_cast<std::uint64_t>(std::max(0.0, level_.target));
  return !sends_exactly() && succeeded_ == 0 && failed_ >= std::max(least_all_failed, all_failed_per_user * users);
}

Phase StandardCourse::phase(RunTime now) {
  check(records_ != nullptr, "a course is started before it is asked");
  latest_ = std::max(latest_, now);
  sample_queue(now);
  if (phase_ == Phase::warming_up) judge_warmup(now);
  if (phase_ == Phase::measuring) judge_window(now);
  if (phase_ == Phase::cooling_down || phase_ == Phase::draining) leave_cool_down(now);
  return phase_;
}

// The seconds up to `until`, which all saw what is in flight now: it is asked before every change.
void StandardCourse::sample_queue(RunTime until) {
  if (!queue_ || until < next_sample_ || (phase_ != Phase::warming_up && phase_ != Phase::measuring)) return;
  constexpr Nanos second = std::chrono::seconds(1);
  const auto count = static_cast<std::uint64_t>((until - next_sample_) / second) + 1;
  next_sample_ += static_cast<Nanos::rep>(count) * second;
  if (in_flight_ == 0) return queue_->sample_idle(count);
  for (std::uint64_t i = 0; i < count; ++i) queue_->sample(in_flight_);
}

bool StandardCourse::plan_is_used_up() const {
  return plan_size_ > 0 && released_count_ >= plan_size_ && in_flight_ == 0;
}

// A window may be short, answers are as long as they are: cut off, the slowest of them would count neither way.
Nanos StandardCourse::cool_down_patience() const { return std::max(rules_.max_duration, least_cool_down); }

Nanos StandardCourse::least_warmup() const {
  if (rules_.warmup_requests) return Nanos(0);
  if (!is_open_loop()) return rules_.warmup_min;
  const Nanos three_answers = rules_.expected_e2e ? 3 * *rules_.expected_e2e : Nanos(0);
  return std::max(rules_.open_warmup_min, three_answers);
}

void StandardCourse::judge_warmup(RunTime now) {
  const bool twice = rules_.warmup_requests || is_open_loop() || ended_count_ >= 2 * first_count_;
  if (all_failed()) {
    stop_without_window("every request failed during warm-up");
  } else if (first_ended_ >= first_count_ && twice && now >= started_ + least_warmup()) {
    open_window(now);
  } else if (stops_early() && queue_ && queue_->saturated()) {
    stop_without_window("the queue grew before the warm-up was over");
  } else if (plan_is_used_up()) {
    stop_without_window("the plan's requests were used up before the warm-up was over");
  }
}

void StandardCourse::open_window(RunTime now) {
  window_start_ = last_due_ && *last_due_ >= now ? *last_due_ + one_tick : now;
  phase_ = Phase::measuring;
}

void StandardCourse::stop_without_window(std::string why) {
  why_ = std::move(why);
  phase_ = Phase::finished;
}

std::optional<std::uint64_t> StandardCourse::request_limit() const {
  if (rules_.num_prompts) return *rules_.num_prompts;
  if (rules_.duration) return std::nullopt;
  return rules_.max_requests;
}

std::optional<Nanos> StandardCourse::window_limit() const {
  if (rules_.duration) return *rules_.duration;
  if (rules_.num_prompts) return std::nullopt;
  return !is_open_loop() && level_.target <= few_users ? rules_.max_duration_few_users : rules_.max_duration;
}

void StandardCourse::judge_window(RunTime now) {
  if (all_failed()) return close_window(now, Phase::finished, "every request failed");
  advance_resolved();
  checks_.advance(*records_, members_, resolved_);
  const std::optional<Nanos> limit = window_limit();
  const std::optional<std::uint64_t> most = request_limit();
  if (stops_early() && queue_ && queue_->saturated()) {
    close_window(now, Phase::finished,
                 fmt::format("the queue grows by {:.3g} requests/s per second", *queue_->growth_per_s()));
  } else if (stops_early() && checks_.outcome()) {
    close_window(now, Phase::cooling_down, checks_.reason());
  } else if (limit && now >= *window_start_ + *limit) {
    close_window(*window_start_ + *limit, Phase::cooling_down, fmt::format("{:g} s were measured", seconds(*limit)));
  } else if (most && members_.size() >= *most) {
    why_ = fmt::format("{} requests were measured", *most);
    end_is_pending_ = true;
    closed_at_ = now;
    phase_ = sends_exactly() ? Phase::draining : Phase::cooling_down;
  } else if (plan_is_used_up()) {
    close_window(now, Phase::cooling_down, "the plan's requests were used up");
  }
}

void StandardCourse::close_window(RunTime end, Phase next, std::string why) {
  set_window_end(end);
  closed_at_ = latest_;
  phase_ = next;
  why_ = std::move(why);
  if (next == Phase::finished) finish();
}

void StandardCourse::set_window_end(RunTime end) {
  end_is_pending_ = false;
  window_end_ = end;
  // Only a window that ends by a length of time may leave out what was released in it at its very end.
  const RunTime last = members_.empty() ? *window_start_ : due_of(members_.back()) + one_tick;
  window_end_ = std::max({*window_end_, last, *window_start_ + one_tick});
}

RunTime StandardCourse::due_of(std::uint32_t serial) const { return records_->requests[serial].due.value_or(latest_); }

void StandardCourse::leave_cool_down(RunTime now) {
  const bool all_ended = members_ended_ == members_.size();
  const bool given_up = now >= *closed_at_ + cool_down_patience();
  if (!all_ended && !given_up) return;
  if (end_is_pending_) set_window_end(now);
  if (!all_ended)
    why_ += fmt::format("; {} requests had not ended {:g} s later and were given up", members_.size() - members_ended_,
                        seconds(cool_down_patience()));
  finish();
}

void StandardCourse::finish() {
  phase_ = Phase::finished;
  checks_.finish(*records_, members_);
}

void StandardCourse::advance_resolved() {
  const Progress wanted = needs_end_ ? Progress::has_ended : Progress::has_token;
  while (resolved_ < members_.size() && progress_[members_[resolved_]] >= wanted) ++resolved_;
}

std::optional<RunTime> StandardCourse::wake_at() const {
  std::optional<RunTime> wake;
  const auto also_at = [&](RunTime time) {
    if (time > latest_) wake = earlier(wake, time);
  };
  if (phase_ == Phase::warming_up) also_at(started_ + least_warmup());
  if (phase_ == Phase::measuring && window_limit()) also_at(*window_start_ + *window_limit());
  // While nothing is in flight the queue has nothing to tell.
  const bool is_sampled = phase_ == Phase::warming_up || phase_ == Phase::measuring;
  if (queue_ && in_flight_ > 0 && is_sampled) also_at(next_sample_);
  if (phase_ == Phase::cooling_down || phase_ == Phase::draining) also_at(*closed_at_ + cool_down_patience());
  return wake;
}

Stability StandardCourse::stability() const {
  if (queue_ && queue_->saturated()) return Stability::saturated;
  if (all_failed()) return Stability::not_stabilised;
  return checks_.outcome().value_or(Stability::not_stabilised);
}

std::string StandardCourse::reason() const {
  if (why_.empty()) return checks_.reason();
  return stops_early() && checks_.outcome() ? why_ : fmt::format("{}; {}", why_, checks_.reason());
}

std::optional<double> StandardCourse::queue_growth_per_s() const {
  return queue_ && queue_->saturated() ? queue_->growth_per_s() : std::nullopt;
}

}  // namespace loadline
