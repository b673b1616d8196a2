#include "trace/sglang_requests.h"

#include "trace/refusal.h"

namespace loadline {
namespace {

/// The server asks itself whether it is well.
bool is_health_check(const SglangEvent& event) {
  return !event.ids.empty() && event.ids.front().starts_with("HEALTH_CHECK");
}

constexpr std::string_view cut_remark =
    "long prompts are cut in this log: what they share with others is unknown, and they count as sharing nothing; "
    "log with --log-requests-level 3 to keep them whole";

}  // namespace

SglangRequests::SglangRequests(TraceBuilder& builder) : builder_(builder) {
  builder.trace().has_times = true;
  builder.trace().time_zone = "local";
}

void SglangRequests::take(const SglangEvent& event, std::uint64_t line) {
  if (event.kind == SglangEvent::Kind::other || is_health_check(event)) return builder_.filter(filter::not_a_request);
  if (event.ids.empty()) return builder_.refuse(refusal::malformed, line);
  if (event.stamp) resolution_.note_text(event.stamp->fraction_digits);
  if (event.kind == SglangEvent::Kind::received) {
    open(event, line);
  } else {
    close(event, line);
  }
}

void SglangRequests::open(const SglangEvent& event, std::uint64_t line) {
  for (const std::string& id : event.ids) {
    if (const auto displaced = open_.open(id, {event.stamp, line})) builder_.refuse(refusal::unpaired, displaced->line);
  }
}

std::optional<Nanos> SglangRequests::arrival_of(const SglangEvent& event,
                                                const std::optional<Received>& received) const {
  if (received && received->stamp) return received->stamp->since_epoch;
  if (event.stamp && event.latency) return event.stamp->since_epoch - *event.latency;
  return std::nullopt;
}

void SglangRequests::close(const SglangEvent& event, std::uint64_t line) {
  const std::optional<Received> received = open_.close(event.ids.front());
  if (received) builder_.filter(filter::streaming);
  const std::optional<Nanos> arrival = arrival_of(event, received);
  if (event.failed) return builder_.refuse(refusal::failed, line);
  if (!event.reason.empty()) return builder_.refuse(event.reason, line);
  if (!received && !arrival) return builder_.refuse(refusal::unpaired, line);
  add_row(event, arrival, line);
}

void SglangRequests::add_row(const SglangEvent& event, std::optional<Nanos> arrival, std::uint64_t line) {
  builder_.begin_row();
  ReadRow row;
  row.time = arrival;
  row.prompt = event.prompt;
  row.completion = event.completion;
  row.cached = event.cached;
  row.detail.max_completion = event.max_completion;
  if (!event.session.empty()) row.session = builder_.session(event.session);
  if (event.is_cut) {
    builder_.remark(cut_remark);
  } else if (!event.text.empty()) {
    builder_.add_text(event.text);
  } else if (!event.token_ids.empty()) {
    builder_.add_token_ids(event.token_ids);
  }
  builder_.add(row, line);
}

void SglangRequests::finish() {
  open_.close_all([&](const Received& received) { builder_.refuse(refusal::unpaired, received.line); });
  builder_.trace().time_resolution_ms = resolution_.step_ms();
}

}  // namespace loadline
