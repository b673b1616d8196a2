#include "load/retries.h"

#include <algorithm>

namespace loadline {
namespace {

constexpr double first_wait_s = 0.5, longest_wait_s = 60;

}  // namespace

bool Retries::wants(const RequestRecord& record, std::uint32_t retries) const {
  if (retries >= most_) return false;
  switch (record.outcome) {
    case Outcome::rejected:
    case Outcome::http_5xx:
    case Outcome::connect_failed:
      return true;
    case Outcome::connection_cut:
      return !record.first_token;
    default:
      return false;
  }
}

RunTime Retries::due(const RequestRecord& record, std::uint32_t retries, RunTime now) const {
  double wait_s = first_wait_s * static_cast<double>(std::uint64_t{1} << std::min(retries, 10U));
  if (record.retry_after) wait_s = seconds(*record.retry_after);
  wait_s = std::clamp(wait_s, 0.0, longest_wait_s);
  return now + nanos(Seconds(wait_s * seconds(wall_second_)));
}

std::optional<WaitingRetry> Retries::take(RunTime now) {
  if (waiting_.empty() || waiting_.top().due > now) return std::nullopt;
  WaitingRetry retry = waiting_.top();
  waiting_.pop();
  return retry;
}

std::optional<RunTime> Retries::next_due() const {
  if (waiting_.empty()) return std::nullopt;
  return waiting_.top().due;
}

void forget_answer(RequestRecord& record) {
  RequestRecord fresh;
  fresh.serial = record.serial;
  fresh.plan_index = record.plan_index;
  fresh.session = record.session;
  fresh.turn = record.turn;
  fresh.planned_prompt = record.planned_prompt;
  fresh.planned_completion = record.planned_completion;
  fresh.warmup = record.warmup;
  fresh.due = record.due;
  fresh.sent = record.sent;
  fresh.attempts = record.attempts;
  record = std::move(fresh);
}

}  // namespace loadline
