#include "measure/goodput.h"

#include <algorithm>

#include "measure/latency_series.h"

namespace loadline {

GoodputLimits effective_limits(const GoodputLimits& limits, std::span<const Objective> objectives) {
  if (limits.any()) return limits;
  GoodputLimits from_objectives;
  const auto tighten = [](std::optional<Nanos>& limit, Nanos other) { limit = std::min(limit.value_or(other), other); };
  for (const Objective& objective : objectives) {
    if (objective.of) continue;
    if (objective.metric == Latency::ttft) tighten(from_objectives.ttft, objective.limit);
    if (objective.metric == Latency::tpot) tighten(from_objectives.tpot, objective.limit);
    if (objective.metric == Latency::e2e) tighten(from_objectives.e2e, objective.limit);
  }
  return from_objectives;
}

bool is_good(const RequestRecord& record, const GoodputLimits& limits) {
  if (!succeeded(record.outcome)) return false;
  const auto meets = [&](Latency metric, std::optional<Nanos> limit) {
    if (!limit) return true;
    const std::optional<double> value = latency_ns(record, metric);
    return !value || *value <= static_cast<double>(limit->count());
  };
  return meets(Latency::ttft, limits.ttft) && meets(Latency::tpot, limits.tpot) && meets(Latency::e2e, limits.e2e);
}

void tell_goodput(const LevelRecords& records, const MeasuredSet& set, const GoodputLimits& limits,
                  LevelResult& result) {
  if (!limits.any() || set.judged() == 0 || set.window.seconds() <= 0) return;
  double good = 0, good_tokens = 0, all_tokens = 0;
  for (const std::uint32_t member : set.succeeded) {
    const RequestRecord& record = records.requests[member];
    const double tokens = record.completion_tokens ? static_cast<double>(record.completion_tokens->value()) : 0;
    all_tokens += tokens;
    if (!is_good(record, limits)) continue;
    ++good;
    good_tokens += tokens;
  }
  // Without token counts nobody knows whether the TPOT limit was met.
  if (limits.tpot && !result.tokens_counted) return;
  result.attainment = good / static_cast<double>(set.judged());
  result.goodput_requests_per_s = good / set.window.seconds();
  if (!result.tokens_counted) return;
  const double share = all_tokens > 0 ? good_tokens / all_tokens : 0;
  result.goodput_output_tokens_per_s = result.aggregate_output_tokens_per_s * share;
}

}  // namespace loadline
