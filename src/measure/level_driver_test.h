#pragma once
// A world in memory for the tests of measure: a level run by a course against an engine whose answer times are given.

#include <functional>
#include <queue>
#include <tuple>
#include <vector>

#include "core/course.h"
#include "core/record.h"

namespace loadline {

/// What the pretended engine does with one request.
struct Answer {
  Nanos first_token{}, each_gap{};
  std::int64_t tokens = 10;
  Outcome outcome = Outcome::ok;
};
using AnswerOf = std::function<Answer(std::uint32_t serial, std::uint32_t in_flight)>;

/// Runs `course` in virtual time with `users` users (closed) or one request each `between` (open) until it is finished.
/// At most `plan_size` requests.
inline LevelRecords drive(LevelCourse& course, Level level, Nanos between, std::uint32_t plan_size,
                          const AnswerOf& answer_of) {
  LevelRecords records;
  records.level = level;
  records.requests.resize(plan_size);
  struct Event {
    RunTime time;
    std::uint32_t serial;
    bool is_end;
    bool operator>(const Event& other) const {
      return std::tie(time, serial, is_end) > std::tie(other.time, other.serial, other.is_end);
    }
  };
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
  std::vector<Answer> answers(plan_size);
  RunTime now = run_start;
  std::uint32_t released = 0, in_flight = 0;
  const bool is_open = level.kind == LevelKind::request_rate;
  const auto next_due = [&] { return run_start + between * (released + 1); };
  course.start(records, now);
  Phase phase = course.phase(now);
  const auto release = [&] {
    RequestRecord& record = records.requests[released];
    record.serial = released;
    record.due = is_open ? next_due() : now;
    record.sent = now;
    const Answer answer = answers[released] = answer_of(released, ++in_flight);
    record.planned_completion = Tokens(answer.tokens);
    record.planned_prompt = Tokens(100);
    const RunTime first = now + answer.first_token, last = first + answer.each_gap * (answer.tokens - 1);
    if (answer.outcome == Outcome::ok) events.push({first, released, false});
    events.push({last, released, true});
    course.released(released++, now);
  };
  while (phase != Phase::finished) {
    const bool may_release = phase != Phase::draining && released < plan_size;
    if (may_release && (is_open ? next_due() <= now : in_flight < level.target)) {
      release();
      phase = course.phase(now);
      continue;
    }
    RunTime next = RunTime::max();
    if (!events.empty()) next = std::min(next, events.top().time);
    if (course.wake_at()) next = std::min(next, *course.wake_at());
    if (is_open && may_release) next = std::min(next, next_due());
    if (next == RunTime::max()) break;
    now = next;
    while (!events.empty() && events.top().time <= now) {
      const Event event = events.top();
      events.pop();
      RequestRecord& record = records.requests[event.serial];
      if (!event.is_end) {
        record.first_token = record.first_answer = now;
        course.first_token(event.serial, now);
        continue;
      }
      const Answer& answer = answers[event.serial];
      record.outcome = answer.outcome;
      record.closed = now;
      if (answer.outcome == Outcome::ok) {
        record.last_token = now;
        record.prompt_tokens = Tokens(100);
        record.completion_tokens = Tokens(answer.tokens);
        record.token_source = TokenSource::server;
        record.events = static_cast<std::uint32_t>(answer.tokens);
        const auto unit = static_cast<std::uint32_t>(answer.each_gap.count() / nanos_per_gap_unit);
        record.gaps =
            records.gaps.append(std::vector<std::uint32_t>(static_cast<std::size_t>(answer.tokens - 1), unit));
      }
      --in_flight;
      course.ended(event.serial, now);
    }
    phase = course.phase(now);
  }
  for (RequestRecord& record : records.requests) {
    if (record.due && !record.closed) record.outcome = Outcome::censored, record.closed = now;
  }
  records.requests.resize(released);
  records.window_start = course.window_start();
  records.window_end = course.window_end();
  records.ended = now;
  records.state = "complete";
  return records;
}

}  // namespace loadline
