#include "measure/gap_series.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "statistics/percentile.h"

namespace loadline {
namespace {

constexpr double most_off_one_token = 0.01;
constexpr double ms_per_gap_unit = static_cast<double>(nanos_per_gap_unit) / 1e6;

std::uint64_t count_longer(std::span<const std::uint32_t> gaps, double units) {
  if (units < 0) return gaps.size();
  if (units >= 4294967295.0) return 0;
  const auto threshold = static_cast<std::uint32_t>(units);
  std::uint32_t longer = 0;
  for (const std::uint32_t gap : gaps) longer += gap > threshold ? 1 : 0;
  return longer;
}

std::vector<std::span<const std::uint32_t>> usable_gaps(const LevelRecords& records,
                                                        std::span<const std::uint32_t> members,
                                                        std::vector<std::uint8_t>& failed_flags) {
  std::vector<std::span<const std::uint32_t>> gaps;
  for (const std::uint32_t member : members) {
    const RequestRecord& record = records.requests[member];
    const bool counts = (succeeded(record.outcome) && !record.coalesced) || failed(record.outcome);
    if (!counts) continue;
    gaps.push_back(record.coalesced ? std::span<const std::uint32_t>() : records.gaps.at(record.gaps));
    failed_flags.push_back(failed(record.outcome) ? 1 : 0);
  }
  return gaps;
}

}  // namespace

bool chunks_are_tokens(const LevelRecords& records, std::span<const std::uint32_t> members) {
  std::int64_t tokens = 0, chunks = 0, single = 0;
  for (const std::uint32_t member : members) {
    const RequestRecord& record = records.requests[member];
    if (!succeeded(record.outcome) || record.coalesced || !record.completion_tokens || !record.first_token) continue;
    tokens += record.completion_tokens->value();
    chunks += record.events;
    single += record.single_token_events.value_or(record.events);
  }
  const auto is_within = [](std::int64_t off, std::int64_t whole) {
    return std::abs(static_cast<double>(off)) <= most_off_one_token * static_cast<double>(whole);
  };
  return tokens > 0 && is_within(tokens - chunks, tokens) && is_within(chunks - single, chunks);
}

GapSeries::GapSeries(const LevelRecords& records, std::span<const std::uint32_t> members)
    : gaps_(usable_gaps(records, members, failed_)), all_(gaps_) {
  finite_ = all_.size();
  infinite_count_ = static_cast<std::uint64_t>(std::ranges::count(failed_, 1));
}

std::vector<ExceedCount> GapSeries::longer_than(double units) const {
  std::vector<ExceedCount> counts(gaps_.size());
  for (std::size_t i = 0; i < gaps_.size(); ++i) {
    const bool never_ended = failed_[i] != 0;
    counts[i].values = gaps_[i].size() + (never_ended ? 1 : 0);
    counts[i].exceeding = count_longer(gaps_[i], units) + (never_ended && std::isfinite(units) ? 1 : 0);
  }
  return counts;
}

// Failed requests' infinite gaps rank above all that ended.
std::vector<double> GapSeries::at_ranks(std::span<const std::uint64_t> ranks) const {
  std::vector<std::uint64_t> finite_ranks;
  for (const std::uint64_t rank : ranks) {
    if (rank <= finite_) finite_ranks.push_back(rank);
  }
  const std::vector<std::uint32_t> found = all_.at_ranks(finite_ranks);
  std::vector<double> values;
  auto next = found.begin();
  for (const std::uint64_t rank : ranks) values.push_back(rank <= finite_ ? static_cast<double>(*next++) : infinite);
  return values;
}

PercentileInterval GapSeries::interval(double p) const {
  PercentileInterval result;
  const std::uint64_t rank = nearest_rank(p, size());
  result.value = at_ranks(std::span(&rank, 1)).front();
  result.dependence = pooled_dependence(longer_than(result.value));
  result.n_eff = result.dependence.effective(static_cast<double>(size()));
  result.ranks = rank_interval(p, size(), result.n_eff);
  const std::array<std::uint64_t, 2> ends = {result.ranks.low, result.ranks.high.value_or(result.ranks.low)};
  const std::vector<double> values = at_ranks(ends);
  result.low = values[0];
  if (result.ranks.high) result.high = values[1];
  return result;
}

LatencySummary GapSeries::summarise() const {
  LatencySummary summary;
  summary.n_all = size();
  if (size() == 0) return summary;
  const auto finite_ms = [](double units) {
    return std::isfinite(units) ? std::optional(units * ms_per_gap_unit) : std::nullopt;
  };
  // One reading for p50, p90, p99 and both ends of its interval, which mostly lie in the last twentieth.
  if (infinite_count_ == 0) {
    all_.prepare(std::array{nearest_rank(0.5, finite_), nearest_rank(0.9, finite_)}, nearest_rank(0.95, finite_));
  }
  const PercentileInterval p99 = interval(0.99);
  summary.p99_failures_as_infinite = finite_ms(p99.value);
  summary.p99_low = finite_ms(p99.low);
  if (p99.high) summary.p99_high = finite_ms(*p99.high);
  summary.tau = p99.dependence.tau;
  summary.n_eff = p99.n_eff;

  std::vector<std::span<const std::uint32_t>> good;
  for (std::size_t i = 0; i < gaps_.size(); ++i) {
    if (failed_[i] == 0) good.push_back(gaps_[i]);
  }
  const LargeSample other = infinite_count_ == 0 ? LargeSample({}) : LargeSample(std::move(good));
  const LargeSample& sample = infinite_count_ == 0 ? all_ : other;
  summary.n = sample.size();
  if (sample.size() == 0) return summary;
  const std::array<std::uint64_t, 3> ranks = {nearest_rank(0.5, sample.size()), nearest_rank(0.9, sample.size()),
                                              nearest_rank(0.99, sample.size())};
  const std::vector<std::uint32_t> found = sample.at_ranks(ranks);
  summary.mean = sample.sum() / static_cast<double>(sample.size()) * ms_per_gap_unit;
  summary.p50 = found[0] * ms_per_gap_unit;
  summary.p90 = found[1] * ms_per_gap_unit;
  summary.p99 = found[2] * ms_per_gap_unit;
  return summary;
}

}  // namespace loadline
