#include "core/record.h"

namespace loadline {

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

}  // namespace loadline
