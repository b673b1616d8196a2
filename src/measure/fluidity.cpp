#include "measure/fluidity.h"

#include <algorithm>
#include <array>

#include "measure/gap_series.h"
#include "statistics/percentile.h"

namespace loadline {

std::optional<double> fluidity(const LevelRecords& records, const RequestRecord& record, Nanos ttft_limit,
                               Nanos tpot_limit) {
  if (failed(record.outcome)) return 0;
  const std::optional<Nanos> first = ttft(record);
  if (!succeeded(record.outcome) || !first || record.coalesced) return std::nullopt;
  Nanos deadline = ttft_limit, arrived = *first;  // both after due
  std::uint64_t tokens = 0, met = 0;
  const auto take = [&] {
    ++tokens;
    if (arrived <= deadline)
      ++met;
    else
      deadline = arrived;
    deadline += tpot_limit;
  };
  take();
  for (const std::uint32_t gap : records.gaps.at(record.gaps)) {
    arrived += Nanos(std::int64_t{gap} * nanos_per_gap_unit);
    take();
  }
  return static_cast<double>(met) / static_cast<double>(tokens);
}

void tell_fluidity(const LevelRecords& records, const MeasuredSet& set, const GoodputLimits& limits,
                   LevelResult& result) {
  if (!limits.ttft || !limits.tpot || !chunks_are_tokens(records, set.members)) return;
  std::vector<double> values;
  double sum = 0;
  std::uint64_t fluent = 0;
  for (const std::uint32_t member : set.members) {
    const std::optional<double> value = fluidity(records, records.requests[member], *limits.ttft, *limits.tpot);
    if (!value) continue;
    values.push_back(*value);
    sum += *value;
    fluent += *value >= Fluidity::fluent ? 1 : 0;
  }
  if (values.empty()) return;
  const auto n = static_cast<double>(values.size());
  Fluidity told{values.size(), sum / n, 0, 0, static_cast<double>(fluent) / n};
  const std::array<std::uint64_t, 2> ranks = {nearest_rank(0.1, values.size()), nearest_rank(0.5, values.size())};
  const std::vector<double> found = values_at_ranks(std::move(values), ranks);
  told.p10 = found[0];
  told.p50 = found[1];
  result.fluidity = told;
}

}  // namespace loadline
