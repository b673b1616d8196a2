#include "core/releases.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"

namespace loadline {
namespace {

constexpr std::uint32_t no_turn = 0xffffffff;

std::vector<std::uint32_t> link_turns(const Plan& plan) {
  std::vector<std::uint32_t> after;
  for (std::size_t i = 0; i < plan.requests.size(); ++i) {
    const auto* turn = std::get_if<AfterTurn>(&plan.requests[i].due);
    if (turn == nullptr) continue;
    if (after.empty()) after.assign(plan.requests.size(), no_turn);
    check(turn->before < i && after[turn->before] == no_turn, "a turn waits for one before it that no other waits for");
    check(turn->pause >= Nanos(0), "a turn is due after the one before it");
    after[turn->before] = static_cast<std::uint32_t>(i);
  }
  return after;
}

}  // namespace

std::size_t users_of(const Level& level) {
  if (level.kind != LevelKind::concurrency) return 0;
  return static_cast<std::size_t>(std::llround(level.target));
}

std::size_t next_opening(const Plan& plan, std::size_t from) {
  while (from < plan.requests.size() && std::holds_alternative<AfterTurn>(plan.requests[from].due)) ++from;
  return from;
}

std::size_t requests_of(const Plan& plan) {
  const std::size_t most = plan.level.most_releases;
  return most > 0 ? std::min(most, plan.requests.size()) : plan.requests.size();
}

bool has_turns(const Plan& plan) {
  return std::ranges::any_of(
      plan.requests, [](const PlannedRequest& planned) { return std::holds_alternative<AfterTurn>(planned.due); });
}

Releases::Releases(const Plan& plan, std::size_t users)
    : plan_(&plan), opening_(next_opening(plan, 0)), free_users_(users), turn_after_(link_turns(plan)) {}

void Releases::start(RunTime level_start) {
  start_ = level_start;
  if (plan_->level.ramp <= Nanos(0)) return;
  const auto users = static_cast<Nanos::rep>(std::exchange(free_users_, 0));
  for (Nanos::rep user = 0; user < users; ++user) resting_.push(start_ + plan_->level.ramp * user / users);
}

std::optional<std::uint32_t> Releases::turn_after(std::uint32_t plan_index) const {
  if (turn_after_.empty() || turn_after_[plan_index] == no_turn) return std::nullopt;
  return turn_after_[plan_index];
}

bool Releases::has_user(std::uint32_t plan_index) const {
  return plan_->level.kind == LevelKind::concurrency &&
         !std::holds_alternative<AtOffset>(plan_->requests[plan_index].due);
}

std::optional<RunTime> Releases::opening_due() const {
  if (opening_ >= plan_->requests.size()) return std::nullopt;
  const auto* offset = std::get_if<AtOffset>(&plan_->requests[opening_].due);
  if (offset == nullptr) return std::nullopt;
  return start_ + offset->after_level_start;
}

bool Releases::has_turn_due(RunTime now) const {
  if (exhausted() || turns_.empty() || turns_.top().due > now) return false;
  const std::optional<RunTime> opening = opening_due();
  return !opening || turns_.top().due <= *opening;
}

bool Releases::has_opening_due(RunTime now) const {
  if (exhausted() || opening_ >= plan_->requests.size()) return false;
  if (const std::optional<RunTime> due = opening_due()) return *due <= now;
  return free_users_ > 0 || (!resting_.empty() && resting_.top() <= now);
}

std::optional<RunTime> Releases::next_due() const {
  if (exhausted()) return std::nullopt;
  std::optional<RunTime> due = opening_due();
  const bool waits_for_user = !due && opening_ < plan_->requests.size() && free_users_ == 0;
  if (waits_for_user && !resting_.empty()) due = resting_.top();
  if (turns_.empty()) return due;
  return std::min(due.value_or(RunTime::max()), turns_.top().due);
}

void Releases::wake_rested(RunTime now) {
  for (; !resting_.empty() && resting_.top() <= now; resting_.pop()) ++free_users_;
}

Release Releases::hand_out(std::size_t plan_index, RunTime due) {
  return {released_++, static_cast<std::uint32_t>(plan_index), due};
}

std::optional<Release> Releases::take(RunTime now) {
  if (has_turn_due(now)) {
    const DueTurn turn = turns_.top();
    turns_.pop();
    return hand_out(turn.plan_index, turn.due);
  }
  if (!has_opening_due(now)) return std::nullopt;
  const std::optional<RunTime> due = opening_due();
  if (!due) {
    wake_rested(now);
    --free_users_;
  }
  const std::size_t opening = opening_;
  opening_ = next_opening(*plan_, opening + 1);
  return hand_out(opening, due.value_or(now));
}

void Releases::ended(std::uint32_t plan_index, RunTime at, std::optional<RunTime> user_free_at) {
  if (!has_user(plan_index)) user_free_at.reset();
  if (const std::optional<std::uint32_t> turn = turn_after(plan_index)) {
    const AfterTurn& wait = std::get<AfterTurn>(plan_->requests[*turn].due);
    const RunTime due = std::max(at + wait.pause, start_ + wait.not_before);
    turns_.push({std::max(due, user_free_at.value_or(due)), *turn});
  } else if (user_free_at) {
    resting_.push(*user_free_at);
  } else if (has_user(plan_index)) {
    ++free_users_;
  }
}

void begin_record(const Release& release, const Plan& plan, const LevelCourse& course, RequestRecord& record) {
  const Request& request = plan.requests[release.plan_index].request;
  record.serial = release.serial;
  record.plan_index = release.plan_index;
  record.session = request.session;
  record.turn = request.turn;
  record.client = request.client;
  record.planned_prompt = request.prompt.length;
  record.planned_completion = request.completion;
  record.due = release.due;
  record.warmup = is_before_window(course, release.due);
  record.attempts = 1;
}

}  // namespace loadline
