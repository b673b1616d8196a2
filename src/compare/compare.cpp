#include "compare/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "compare/difference.h"
#include "compare/ratio.h"
#include "compare/sentences.h"
#include "core/error.h"
#include "statistics/distributions.h"
#include "statistics/percentile.h"

namespace loadline {
namespace {

constexpr double most_length_difference = 0.01;

/// Places in the two reports' levels.
using Places = std::pair<std::size_t, std::size_t>;

bool same_load(const LevelResult& a, const LevelResult& b) {
  return a.level.kind == b.level.kind && a.level.arrivals == b.level.arrivals && a.level.target == b.level.target;
}

/// By the digests of the most requests that both know.
bool same_requests(const LevelResult& a, const LevelResult& b) {
  for (auto of_a = a.request_digests.rbegin(); of_a != a.request_digests.rend(); ++of_a) {
    const auto of_b = b.request_digests.find(of_a->first);
    if (of_b != b.request_digests.end()) return of_a->second == of_b->second;
  }
  return false;
}

struct Matches {
  std::vector<Places> pairs;  ///< the same load and the same requests
  bool any_load = false;
};

Matches match_levels(const RunReport& a, const RunReport& b) {
  Matches matches;
  std::set<std::size_t> taken;
  for (std::size_t i = 0; i < a.levels.size(); ++i) {
    for (std::size_t j = 0; j < b.levels.size(); ++j) {
      if (!same_load(a.levels[i], b.levels[j])) continue;
      matches.any_load = true;
      if (taken.contains(j) || a.levels[i].level.pass != b.levels[j].level.pass) continue;
      if (!same_requests(a.levels[i], b.levels[j])) continue;
      matches.pairs.emplace_back(i, j);
      taken.insert(j);
      break;
    }
  }
  return matches;
}

std::string loads_text(const RunReport& report) {
  std::set<double> loads;
  for (const LevelResult& level : report.levels) loads.insert(level.level.target);
  return fmt::format("{}", fmt::join(loads, ", "));
}

/// Requests of all levels, pair by pair.
struct MeasuredTogether {
  std::vector<std::vector<LevelPair>> loads;  ///< each with its passes
  std::vector<CurveLevel> levels;
};

std::vector<RequestSeen> side_of(const LevelPair& pair, RequestSeen PairedRequest::* side) {
  std::vector<RequestSeen> requests;
  for (const PairedRequest& request : pair.requests) requests.push_back(request.*side);
  return requests;
}

void add_pair(LevelPair pair, std::vector<std::vector<LevelPair>>& loads) {
  const auto same = std::ranges::find_if(loads, [&](const std::vector<LevelPair>& load) {
    return load.front().level.kind == pair.level.kind && load.front().level.target == pair.level.target;
  });
  if (same == loads.end()) {
    loads.push_back({std::move(pair)});
  } else {
    same->push_back(std::move(pair));
  }
}

MeasuredTogether measure_together(const ComparedRun& a, const ComparedRun& b, const std::vector<Places>& pairs) {
  MeasuredTogether together;
  const std::vector<Objective>& objectives = a.report->objectives;
  std::set<std::size_t> paired_a, paired_b;
  for (const auto& [i, j] : pairs) {
    LevelPair pair = pair_requests(a.records(a.report->levels[i].ordinal), b.records(b.report->levels[j].ordinal));
    paired_a.insert(i);
    paired_b.insert(j);
    together.levels.push_back({batches_of_level(i, side_of(pair, &PairedRequest::a), objectives),
                               batches_of_level(j, side_of(pair, &PairedRequest::b), objectives)});
    add_pair(std::move(pair), together.loads);
  }
  const auto add_alone = [&](const ComparedRun& run, const std::set<std::size_t>& paired,
                             std::optional<LevelBatches> CurveLevel::* side) {
    for (std::size_t i = 0; i < run.report->levels.size(); ++i) {
      if (paired.contains(i)) continue;
      CurveLevel level;
      level.*side = batches_of_level(i, measured_requests(run.records(run.report->levels[i].ordinal)), objectives);
      together.levels.push_back(std::move(level));
    }
  };
  add_alone(a, paired_a, &CurveLevel::a);
  add_alone(b, paired_b, &CurveLevel::b);
  std::ranges::sort(together.loads, {}, [](const std::vector<LevelPair>& load) {
    return std::pair(load.front().level.kind, load.front().level.target);
  });
  // Levels too short for batches stay as they were measured.
  std::erase_if(together.levels,
                [](const CurveLevel& level) { return level.a ? level.a->batches.empty() : level.b->batches.empty(); });
  return together;
}

/// tokens/s of answers of other lengths are other work.
void refuse_other_lengths(const std::vector<std::vector<LevelPair>>& loads, ManifestDifference& difference) {
  std::vector<double> a, b;
  for (const std::vector<LevelPair>& load : loads) {
    for (const LevelPair& pair : load) {
      for (const PairedRequest& request : pair.requests) {
        if (!request.a.completion_tokens || !request.b.completion_tokens) continue;
        a.push_back(static_cast<double>(*request.a.completion_tokens));
        b.push_back(static_cast<double>(*request.b.completion_tokens));
      }
    }
  }
  if (a.empty()) return;
  const double of_a = percentile(std::move(a), 0.5), of_b = percentile(std::move(b), 0.5);
  if (std::abs(of_b / of_a - 1) <= most_length_difference) return;
  refuse(difference, fmt::format("The answers to the same requests are not of the same length: the median is {} tokens "
                                 "on A and {} on B, so that tokens/s and latencies are of different work.",
                                 of_a, of_b));
}

/// The one that answers the question: of the kind of capacity that the report's decision names; where no capacity has
/// an interval, of the request rate (open loop: p99 TTFT) over all loads.
void put_decisive_first(const RunReport& a, const MeasuredTogether& together, const BootstrapSettings& settings,
                        std::vector<Ratio>& ratios) {
  const bool open_first = a.operating_point && a.operating_point->kind == LevelKind::request_rate;
  if (open_first && ratios.size() > 1) std::swap(ratios[0], ratios[1]);
  const auto decisive = std::ranges::find_if(
      ratios, [](const Ratio& ratio) { return ratio.b_over_a && ratio.method != RatioMethod::none; });
  if (decisive != ratios.end()) {
    std::rotate(ratios.begin(), decisive, decisive + 1);
    return;
  }
  std::vector<std::vector<LevelPair>> closed;
  std::ranges::copy_if(together.loads, std::back_inserter(closed), [](const std::vector<LevelPair>& load) {
    return load.front().level.kind == LevelKind::concurrency;
  });
  ratios.insert(ratios.begin(), closed.empty() ? ratio_over_loads(RatioMetric::ttft_p99, together.loads, settings)
                                               : ratio_over_loads(RatioMetric::request_rate, closed, settings));
}

std::vector<Ratio> all_ratios(const ComparedRun& a, const ComparedRun& b, const MeasuredTogether& together,
                              const BootstrapSettings& settings) {
  std::vector<Ratio> ratios;
  for (const LevelKind kind : {LevelKind::concurrency, LevelKind::request_rate}) {
    const bool has_levels =
        std::ranges::any_of(a.report->levels, [&](const LevelResult& level) { return level.level.kind == kind; });
    if (has_levels)
      ratios.push_back(capacity_ratio(kind, *a.report, *b.report, together.levels, a.curve, b.curve, settings));
  }
  put_decisive_first(*a.report, together, settings, ratios);
  for (const std::vector<LevelPair>& load : together.loads) {
    for (Ratio& ratio : ratios_at_load(load, settings)) ratios.push_back(std::move(ratio));
  }
  return ratios;
}

/// The decisive ratio in logarithms again.
LogRatio logarithm_of(const Ratio& ratio) {
  LogRatio log{std::log(ratio.b_over_a->value), std::log(*ratio.b_over_a->high / ratio.b_over_a->value), 0};
  if (ratio.method == RatioMethod::student_pairs) {
    const auto n = static_cast<double>(ratio.n);
    log.deviation = log.half_width * std::sqrt(n) / student_quantile(0.975, n - 1);
  }
  return log;
}

void decide(const MeasuredTogether& together, Comparison& comparison) {
  for (const std::vector<LevelPair>& load : together.loads) {
    comparison.passes = std::max(comparison.passes, static_cast<std::uint32_t>(load.size()));
  }
  const Ratio& first = comparison.ratios.front();
  comparison.verdict = first.verdict;
  if (first.verdict != ComparisonVerdict::undecided || !first.b_over_a || !first.b_over_a->high) return;
  const std::size_t pairs = first.method == RatioMethod::student_pairs ? first.n : comparison.passes;
  comparison.more_pairs = more_pairs_needed(logarithm_of(first), pairs);
}

void take_doubts(const ComparedRun& run, std::string_view side, Comparison& comparison) {
  const auto take = [&](const Doubt& doubt) {
    if (!doubt.invalidates) return;
    comparison.valid = false;
    comparison.doubts.push_back(doubt);
    comparison.doubts.back().text = fmt::format("{}: {}", side, doubt.text);
  };
  for (const Doubt& doubt : run.report->doubts) take(doubt);
  for (const LevelResult& level : run.report->levels) {
    for (const Doubt& doubt : level.doubts) take(doubt);
  }
}

/// Some passes had no capacity, so that too few pairs of passes are left.
bool lacks_pass_capacities(const Comparison& comparison) {
  if (comparison.ratios.empty() || comparison.passes < least_pairs) return false;
  return std::ranges::any_of(comparison.ratios, [](const Ratio& ratio) {
    const bool is_capacity = ratio.metric == RatioMetric::capacity_closed || ratio.metric == RatioMetric::capacity_open;
    return is_capacity && ratio.b_over_a && ratio.method != RatioMethod::student_pairs;
  });
}

void remark(const ComparedRun& a, const ComparedRun& b, const std::vector<Places>& pairs, Comparison& comparison) {
  const std::size_t alone = a.report->levels.size() + b.report->levels.size() - 2 * pairs.size();
  if (alone > 0) {
    comparison.remarks.push_back(
        fmt::format("{} levels were run on one side alone, or with other requests; they count in the capacity of "
                    "their side only.",
                    alone));
  }
  if (lacks_pass_capacities(comparison)) {
    comparison.remarks.push_back(
        "Not every pass has a capacity on both sides, as its levels do not bracket the objective, so the capacities are "
        "not compared pass by pass: list loads further on both sides of the operating point, or measure longer.");
  }
  for (const auto& [run, side] : {std::pair(&a, "A"), std::pair(&b, "B")}) {
    if (run->report->interrupted)
      comparison.remarks.push_back(fmt::format("{} is incomplete. {}", side, run->report->interruption));
  }
}

}  // namespace

Comparison compare(const ComparedRun& a, const ComparedRun& b, const ComparisonSettings& settings) {
  Comparison comparison;
  comparison.a = a.name;
  comparison.b = b.name;
  comparison.manifest = difference_of(a.manifest, b.manifest, settings.variable);
  for (const auto& [run, side] : {std::pair(&a, "A"), std::pair(&b, "B")}) {
    if (run->report->levels.empty()) {
      throw Error(fmt::format("{} ({}) has no complete level, so there is nothing to compare; run it to its end", side,
                              run->name));
    }
  }
  const Matches matches = match_levels(*a.report, *b.report);
  if (!matches.any_load) {
    throw Error(
        fmt::format("the two runs have no load in common: A ran {}, B {}; run both with the same --concurrency "
                    "or --request-rate",
                    loads_text(*a.report), loads_text(*b.report)));
  }
  if (matches.pairs.empty()) {
    refuse(comparison.manifest,
           "At no load were the same requests sent to both: run both with the same input, seed and levels.");
  }
  MeasuredTogether together = measure_together(a, b, matches.pairs);
  refuse_other_lengths(together.loads, comparison.manifest);
  const bool refused = comparison.manifest.comparability == Comparability::refused;
  comparison.forced = refused && settings.force;
  if (!refused || settings.force) {
    comparison.ratios = all_ratios(a, b, together, settings.bootstrap);
    comparison.bootstrap_seed = settings.bootstrap.seed;
    const bool bootstrapped = std::ranges::any_of(
        comparison.ratios, [](const Ratio& ratio) { return ratio.method == RatioMethod::paired_batches; });
    comparison.resamples = bootstrapped ? settings.bootstrap.resamples : 0;
    if (!comparison.ratios.empty()) decide(together, comparison);
  }
  take_doubts(a, "A", comparison);
  take_doubts(b, "B", comparison);
  remark(a, b, matches.pairs, comparison);
  comparison.valid = comparison.valid && !refused;
  comparison.sentence = comparison_sentence(comparison);
  return comparison;
}

}  // namespace loadline
