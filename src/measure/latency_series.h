#pragma once
// The latencies of R as series in order of due: what summaries and verdicts are made of.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/estimate.h"
#include "core/level.h"
#include "core/record.h"

namespace loadline {

/// `metric` of one request in ns: +infinity where it failed, absent where it is undefined (a coalesced stream has no
/// TPOT), was censored or never sent. TTFT of a request still in flight counts once its first token is there.
/// Not for ITL, which is no property of a request.
std::optional<double> latency_ns(const RequestRecord& record, Latency metric);
std::optional<double> service_ttft_ns(const RequestRecord& record);
std::optional<double> first_answer_ns(const RequestRecord& record);

/// The defined values of `latency` over `members` (indices into records.requests), in their order. Empty where requests
/// succeeded and none has the metric (answers in one piece have no TTFT): the failures alone are no distribution of it.
template <class OfRecord>
std::vector<double> latency_series(const LevelRecords& records, std::span<const std::uint32_t> members,
                                   const OfRecord& latency) {
  std::vector<double> series;
  series.reserve(members.size());
  bool any_succeeded = false, is_defined = false;
  for (const std::uint32_t member : members) {
    const RequestRecord& record = records.requests[member];
    const std::optional<double> value = latency(record);
    if (value) series.push_back(*value);
    any_succeeded |= succeeded(record.outcome);
    is_defined |= value && !failed(record.outcome);
  }
  if (any_succeeded && !is_defined) series.clear();
  return series;
}

/// Summary in ms of a series in ns; failures are +infinity in it.
LatencySummary summarise_latency(const std::vector<double>& series_ns);

/// p50 and p10 of a rate over `members`: failed requests as 0, undefined ones left out.
template <class OfRecord>
std::vector<double> rate_series(const LevelRecords& records, std::span<const std::uint32_t> members,
                                const OfRecord& rate) {
  std::vector<double> series;
  series.reserve(members.size());
  for (const std::uint32_t member : members) {
    const RequestRecord& record = records.requests[member];
    if (failed(record.outcome))
      series.push_back(0);
    else if (!succeeded(record.outcome))
      continue;
    else if (const std::optional<double> value = rate(record))
      series.push_back(*value);
  }
  return series;
}
RateSummary summarise_rate(std::vector<double> series);

}  // namespace loadline
