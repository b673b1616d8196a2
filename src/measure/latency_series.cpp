#include "measure/latency_series.h"

#include <array>
#include <cmath>

#include "core/error.h"
#include "statistics/percentile.h"
#include "statistics/percentile_interval.h"

namespace loadline {
namespace {

constexpr double ns_per_ms = 1e6;

std::optional<double> as_number(std::optional<Nanos> span) {
  if (!span) return std::nullopt;
  return static_cast<double>(span->count());
}

// `value` counts for a request that succeeded; a failed one is infinitely slow.
std::optional<double> judged(const RequestRecord& record, std::optional<double> value) {
  if (failed(record.outcome)) return infinite;
  return succeeded(record.outcome) ? value : std::nullopt;
}

std::optional<double> finite_ms(double ns) {
  if (!std::isfinite(ns)) return std::nullopt;
  return ns / ns_per_ms;
}

}  // namespace

std::optional<double> latency_ns(const RequestRecord& record, Latency metric) {
  switch (metric) {
    case Latency::ttft: {
      const bool in_flight = record.outcome == Outcome::unsent && record.first_token;
      return in_flight ? as_number(ttft(record)) : judged(record, as_number(ttft(record)));
    }
    case Latency::e2e:
      return judged(record, as_number(e2e(record)));
    case Latency::tpot: {
      const std::optional<Seconds> time = record.coalesced ? std::nullopt : tpot(record);
      return judged(record, time ? std::optional(time->count() * 1e9) : std::nullopt);
    }
    case Latency::itl:
      break;
  }
  check(false, "ITL is a property of gaps, not of a request");
  return std::nullopt;
}

std::optional<double> service_ttft_ns(const RequestRecord& record) {
  return judged(record, as_number(service_ttft(record)));
}
std::optional<double> first_answer_ns(const RequestRecord& record) {
  return judged(record, as_number(first_answer_latency(record)));
}

LatencySummary summarise_latency(const std::vector<double>& series_ns) {
  LatencySummary summary;
  summary.n_all = series_ns.size();
  if (series_ns.empty()) return summary;
  const PercentileInterval interval = percentile_interval(series_ns, 0.99);
  summary.p99_failures_as_infinite = finite_ms(interval.value);
  summary.p99_low = finite_ms(interval.low);
  if (interval.high) summary.p99_high = finite_ms(*interval.high);
  summary.tau = interval.dependence.tau;
  summary.n_eff = interval.n_eff;

  std::vector<double> finite;
  finite.reserve(series_ns.size());
  double sum = 0;
  for (const double value : series_ns) {
    if (!std::isfinite(value)) continue;
    finite.push_back(value);
    sum += value;
  }
  summary.n = finite.size();
  if (finite.empty()) return summary;
  const std::array<std::uint64_t, 3> ranks = {nearest_rank(0.5, finite.size()), nearest_rank(0.9, finite.size()),
                                              nearest_rank(0.99, finite.size())};
  summary.mean = sum / static_cast<double>(finite.size()) / ns_per_ms;
  const std::vector<double> found = values_at_ranks(std::move(finite), ranks);
  summary.p50 = found[0] / ns_per_ms;
  summary.p90 = found[1] / ns_per_ms;
  summary.p99 = found[2] / ns_per_ms;
  return summary;
}

RateSummary summarise_rate(std::vector<double> series) {
  RateSummary summary;
  summary.n = series.size();
  if (series.empty()) return summary;
  const std::array<std::uint64_t, 2> ranks = {nearest_rank(0.5, series.size()), nearest_rank(0.1, series.size())};
  const std::vector<double> found = values_at_ranks(std::move(series), ranks);
  summary.p50 = found[0];
  summary.p10 = found[1];
  return summary;
}

}  // namespace loadline
