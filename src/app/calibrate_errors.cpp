#include "app/calibrate_errors.h"

#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace loadline {
namespace {

/// The first of each write's events, as the client saw it.
std::vector<RunTime> arrivals_of_writes(const LevelRecords& records, const RequestRecord& record,
                                        std::uint32_t tokens_per_write) {
  std::vector<RunTime> arrivals = {*record.first_token};
  RunTime arrival = *record.first_token;
  std::uint32_t event = 0;
  for (const std::uint32_t gap : records.gaps.at(record.gaps)) {
    arrival += Nanos(std::int64_t{gap} * nanos_per_gap_unit);
    if (++event % tokens_per_write == 0) arrivals.push_back(arrival);
  }
  return arrivals;
}

void compare(const std::vector<RunTime>& arrivals, const StreamStamps& stamps, ArrivalErrors& errors) {
  const std::vector<WriteStamp>& writes = stamps.writes;
  for (std::size_t i = 0; i < std::min(arrivals.size(), writes.size()); ++i) {
    errors.engine_lateness_ms.push_back(milliseconds(writes[i].begin - writes[i].due));
    if (i == 0) {
      errors.ttft_ms.push_back(milliseconds(arrivals[0] - writes[0].end));
    } else {
      const Nanos seen = arrivals[i] - arrivals[i - 1], sent = writes[i].end - writes[i - 1].end;
      errors.gap_ms.push_back(std::abs(milliseconds(seen - sent)));
    }
  }
}

}  // namespace

ArrivalErrors arrival_errors(const LevelRecords& records, std::span<const StreamStamps> stamps) {
  std::unordered_map<std::uint32_t, const StreamStamps*> by_request;
  for (const StreamStamps& stream : stamps) by_request[stream.request] = &stream;
  ArrivalErrors errors;
  for (const RequestRecord& record : records.requests) {
    if (!record.due || !record.first_token || record.attempts > 1 || !records.window_start) continue;
    if (*record.due < *records.window_start || (records.window_end && *record.due >= *records.window_end)) continue;
    const auto found = by_request.find(record.plan_index);
    if (found == by_request.end()) continue;
    compare(arrivals_of_writes(records, record, found->second->tokens_per_write), *found->second, errors);
  }
  return errors;
}

}  // namespace loadline
