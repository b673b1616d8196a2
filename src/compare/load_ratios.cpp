#include "compare/load_ratios.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "compare/ratio.h"
#include "statistics/percentile.h"

namespace loadline {
namespace {

/// The value of a metric on both sides.
using Sides = std::pair<double, double>;
using PairedRequests = std::vector<const PairedRequest*>;

PairedRequests pointers_to(const LevelPair& pair) {
  PairedRequests requests;
  for (const PairedRequest& request : pair.requests) requests.push_back(&request);
  return requests;
}

std::optional<Sides> finite(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b) || a <= 0 || b <= 0) return std::nullopt;
  return Sides{a, b};
}

std::optional<Sides> percentiles(const PairedRequests& requests, RatioMetric metric) {
  const bool is_ttft = metric == RatioMetric::ttft_p50 || metric == RatioMetric::ttft_p99;
  const double p = metric == RatioMetric::ttft_p50 || metric == RatioMetric::tpot_p50 ? 0.5 : 0.99;
  std::vector<double> a, b;
  for (const PairedRequest* request : requests) {
    if (is_ttft) {
      a.push_back(request->a.ttft_ms);
      b.push_back(request->b.ttft_ms);
    } else if (request->a.tpot_ms && request->b.tpot_ms) {
      a.push_back(*request->a.tpot_ms);
      b.push_back(*request->b.tpot_ms);
    }
  }
  if (a.empty()) return std::nullopt;
  return finite(percentile(std::move(a), p), percentile(std::move(b), p));
}

/// X by Little's law, per second.
std::optional<Sides> request_rates(const PairedRequests& requests, double users) {
  double residence_a = 0, residence_b = 0, good_a = 0, good_b = 0;
  for (const PairedRequest* request : requests) {
    residence_a += request->a.residence_ms;
    residence_b += request->b.residence_ms;
    good_a += request->a.succeeded ? 1 : 0;
    good_b += request->b.succeeded ? 1 : 0;
  }
  if (residence_a <= 0 || residence_b <= 0) return std::nullopt;
  return finite(users * good_a / (residence_a / 1e3), users * good_b / (residence_b / 1e3));
}

std::optional<Sides> value_of(const PairedRequests& requests, RatioMetric metric, const Level& level) {
  if (requests.empty()) return std::nullopt;
  if (metric == RatioMetric::request_rate) return request_rates(requests, level.target);
  return percentiles(requests, metric);
}

double log_of(const Sides& sides) { return std::log(sides.second) - std::log(sides.first); }

/// Each pass on its own; absent where one has no value.
std::optional<std::vector<Sides>> values_of_passes(std::span<const LevelPair> passes, RatioMetric metric) {
  std::vector<Sides> values;
  for (const LevelPair& pass : passes) {
    const std::optional<Sides> value = value_of(pointers_to(pass), metric, pass.level);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

Sides geometric_mean(const std::vector<Sides>& values) {
  double a = 0, b = 0;
  for (const Sides& value : values) a += std::log(value.first), b += std::log(value.second);
  const auto n = static_cast<double>(values.size());
  return {std::exp(a / n), std::exp(b / n)};
}

/// The batches of all passes, each of one pass alone.
std::vector<PairedRequests> batches_of_passes(std::span<const LevelPair> passes) {
  std::vector<PairedRequests> batches;
  for (const LevelPair& pass : passes) {
    const PairedRequests requests = pointers_to(pass);
    for (const RequestRange& batch : batches_of(requests.size())) {
      batches.emplace_back(requests.begin() + static_cast<std::ptrdiff_t>(batch.begin),
                           requests.begin() + static_cast<std::ptrdiff_t>(batch.end));
    }
  }
  return batches;
}

struct BatchError {
  double error = 0;
  std::size_t batches = 0;
};

std::optional<BatchError> error_by_batches(std::span<const LevelPair> passes, RatioMetric metric,
                                           const BootstrapSettings& settings) {
  const std::vector<PairedRequests> batches = batches_of_passes(passes);
  const auto statistic = [&](std::span<const std::size_t> drawn) -> std::optional<double> {
    PairedRequests requests;
    for (const std::size_t index : drawn) {
      requests.insert(requests.end(), batches[index].begin(), batches[index].end());
    }
    const std::optional<Sides> value = value_of(requests, metric, passes.front().level);
    return value ? std::optional(log_of(*value)) : std::nullopt;
  };
  const std::optional<double> error = bootstrap_error(batches.size(), statistic, settings.seed, settings.resamples);
  return error ? std::optional(BatchError{*error, batches.size()}) : std::nullopt;
}

void set_interval(Ratio& ratio, const LogRatio& log_ratio, RatioMethod method, std::size_t n) {
  ratio.b_over_a = log_ratio.ratio();
  ratio.method = method;
  ratio.n = static_cast<std::uint32_t>(n);
  ratio.verdict = verdict_of(*ratio.b_over_a, more_is_faster(ratio.metric));
}

std::uint64_t requests_in(std::span<const LevelPair> passes) {
  std::uint64_t count = 0;
  for (const LevelPair& pass : passes) count += pass.requests.size();
  return count;
}

Ratio ratio_at_load(std::span<const LevelPair> passes, RatioMetric metric, const BootstrapSettings& settings) {
  Ratio ratio;
  ratio.metric = metric;
  ratio.level = passes.front().level;
  ratio.requests = requests_in(passes);
  const std::optional<std::vector<Sides>> values = values_of_passes(passes, metric);
  if (!values) {
    ratio.absence = ratio.requests == 0 ? "no request was measured on both sides"
                                        : "a side has no such value: it is undefined, or too many requests failed";
    return ratio;
  }
  const Sides mean = geometric_mean(*values);
  ratio.a = mean.first;
  ratio.b = mean.second;
  ratio.b_over_a = Estimate{mean.second / mean.first, std::nullopt, std::nullopt};
  if (const std::optional<LogRatio> of_pairs = ratio_of_pairs(*values)) {
    set_interval(ratio, *of_pairs, RatioMethod::student_pairs, values->size());
  } else if (const std::optional<BatchError> error = error_by_batches(passes, metric, settings)) {
    set_interval(ratio, ratio_of_batches(log_of(mean), error->error, error->batches), RatioMethod::paired_batches,
                 error->batches);
  } else {
    ratio.absence = "no interval: it takes 100 requests that both sides measured, or 4 pairs of passes";
  }
  return ratio;
}

/// Pass i of every load; absent where the loads have not the same passes.
std::optional<std::vector<Sides>> means_over_loads(RatioMetric metric, std::span<const std::vector<LevelPair>> loads) {
  std::vector<Sides> means;
  for (std::size_t pass = 0; pass < loads.front().size(); ++pass) {
    std::vector<Sides> values;
    for (const std::vector<LevelPair>& load : loads) {
      if (load.size() != loads.front().size()) return std::nullopt;
      const std::optional<Sides> value = value_of(pointers_to(load[pass]), metric, load[pass].level);
      if (!value) return std::nullopt;
      values.push_back(*value);
    }
    means.push_back(geometric_mean(values));
  }
  return means;
}

}  // namespace

std::vector<Ratio> ratios_at_load(std::span<const LevelPair> passes, const BootstrapSettings& settings) {
  std::vector<RatioMetric> metrics = {RatioMetric::ttft_p50, RatioMetric::ttft_p99, RatioMetric::tpot_p50,
                                      RatioMetric::tpot_p99};
  if (passes.front().level.kind == LevelKind::concurrency) metrics.insert(metrics.begin(), RatioMetric::request_rate);
  std::vector<Ratio> ratios;
  for (const RatioMetric metric : metrics) ratios.push_back(ratio_at_load(passes, metric, settings));
  return ratios;
}

Ratio ratio_over_loads(RatioMetric metric, std::span<const std::vector<LevelPair>> loads,
                       const BootstrapSettings& settings) {
  Ratio ratio;
  ratio.metric = metric;
  if (loads.empty()) {
    ratio.absence = "at no load were the same requests sent to both";
    return ratio;
  }
  std::vector<Ratio> single;
  for (const std::vector<LevelPair>& load : loads) {
    single.push_back(ratio_at_load(load, metric, settings));
    ratio.requests += single.back().requests;
    if (!single.back().b_over_a) {
      ratio.absence = "a load has no such ratio";
      return ratio;
    }
  }
  std::vector<Sides> values;
  for (const Ratio& one : single) values.emplace_back(*one.a, *one.b);
  const Sides mean = geometric_mean(values);
  ratio.a = mean.first;
  ratio.b = mean.second;
  ratio.b_over_a = Estimate{mean.second / mean.first, std::nullopt, std::nullopt};
  const std::optional<std::vector<Sides>> of_passes = means_over_loads(metric, loads);
  if (const auto of_pairs = of_passes ? ratio_of_pairs(*of_passes) : std::nullopt) {
    set_interval(ratio, *of_pairs, RatioMethod::student_pairs, of_passes->size());
    return ratio;
  }
  double variance = 0;
  std::size_t least_batches = 0, batches = 0;
  for (const std::vector<LevelPair>& load : loads) {
    const std::optional<BatchError> error = error_by_batches(load, metric, settings);
    if (!error) {
      ratio.absence = "no interval: it takes 100 requests that both sides measured at every load, or 4 pairs of passes";
      return ratio;
    }
    variance += error->error * error->error;
    batches += error->batches;
    least_batches = least_batches == 0 ? error->batches : std::min(least_batches, error->batches);
  }
  const LogRatio all =
      ratio_of_batches(log_of(mean), std::sqrt(variance) / static_cast<double>(loads.size()), least_batches);
  set_interval(ratio, all, RatioMethod::paired_batches, batches);
  return ratio;
}

}  // namespace loadline
