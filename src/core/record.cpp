#include "core/record.h"

#include <algorithm>

namespace loadline {
namespace {

constexpr std::optional<double> ClientSelf::* lateness_figures[] = {
    &ClientSelf::send_lateness_p50_ms, &ClientSelf::send_lateness_p99_ms, &ClientSelf::send_lateness_max_ms,
    &ClientSelf::read_lateness_p50_ms, &ClientSelf::read_lateness_p99_ms, &ClientSelf::read_lateness_max_ms,
    &ClientSelf::loop_turn_p99_ms,     &ClientSelf::loop_turn_max_ms,     &ClientSelf::cpu_share};

}  // namespace

std::optional<Seconds> tpot(const RequestRecord& r) {
  if (!r.first_token || !r.last_token || !r.completion_tokens) return std::nullopt;
  const std::int64_t first = r.first_event_tokens ? r.first_event_tokens->value() : 1;
  const std::int64_t later = r.completion_tokens->value() - first;
  if (later <= 0 || *r.last_token <= *r.first_token) return std::nullopt;
  return Seconds(*r.last_token - *r.first_token) / static_cast<double>(later);
}

std::optional<double> user_rate(const RequestRecord& r) {
  const std::optional<Seconds> time = tpot(r);
  if (!time) return std::nullopt;
  return 1.0 / time->count();
}

std::optional<double> end_to_end_rate(const RequestRecord& r) {
  const std::optional<Nanos> span = e2e(r);
  if (!span || span->count() <= 0 || !r.completion_tokens) return std::nullopt;
  return static_cast<double>(r.completion_tokens->value()) / seconds(*span);
}

bool belongs_to(const RequestRecord& r, const RequestClass& of) {
  const auto inside = [&](std::int64_t number) { return number >= of.from && number <= of.to; };
  switch (of.by) {
    case ClassBy::prompt:
      if (r.planned_prompt.value() > 0) return inside(r.planned_prompt.value());
      return r.prompt_tokens && inside(r.prompt_tokens->value());
    case ClassBy::turn:
      return inside(std::int64_t{r.turn} + 1);
    case ClassBy::session:
      return of.index != RequestClass::unresolved && of.sessions_of_log > 0 && r.session != no_session &&
             r.session % of.sessions_of_log == of.index;
    case ClassBy::client:
      return of.index != RequestClass::unresolved && r.client == of.index;
  }
  return false;
}

ClientSelf together(const ClientSelf& a, const ClientSelf& b) {
  ClientSelf both = a;
  for (const auto figure : lateness_figures) both.*figure = std::max(a.*figure, b.*figure);  // absent is less than any
  both.threads = a.threads + b.threads;
  both.thread_cpu_shares.insert(both.thread_cpu_shares.end(), b.thread_cpu_shares.begin(), b.thread_cpu_shares.end());
  both.reads += b.reads;
  both.stamped_reads += b.stamped_reads;
  both.coalesced_reads += b.coalesced_reads;
  both.output_events += b.output_events;
  both.reconnects += b.reconnects;
  both.retries += b.retries;
  both.held_back += b.held_back;
  both.clock_stepped = a.clock_stepped || b.clock_stepped;
  return both;
}

}  // namespace loadline
