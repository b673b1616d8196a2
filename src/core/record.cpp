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
  return both;
}

}  // namespace loadline
