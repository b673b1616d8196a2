#include "measure/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "measure/gap_series.h"
#include "measure/latency_series.h"
#include "statistics/dependence.h"
#include "statistics/percentile_interval.h"
#include "statistics/share_verdict.h"

namespace loadline {
namespace {

void judge_share(ObjectiveResult& result) {
  const ShareVerdict verdict = share_verdict(result.above, result.n, result.tau, 1 - result.objective.percentile);
  result.share_low = verdict.low;
  result.share_high = verdict.high;
  result.verdict = verdict.verdict;
}

constexpr double ns_per_ms_of_check = 1e6, ns_per_gap_unit = static_cast<double>(nanos_per_gap_unit);

/// `unit_ns`: what the interval counts in.
void tell_percentile(const PercentileInterval& interval, double unit_ns, double precision, ObjectiveCheck& check) {
  const auto finite_ms = [&](double value) {
    return std::isfinite(value) ? std::optional(value * unit_ns / ns_per_ms_of_check) : std::nullopt;
  };
  check.result.value_ms = finite_ms(interval.value);
  check.result.low_ms = finite_ms(interval.low);
  if (interval.high) check.result.high_ms = finite_ms(*interval.high);
  check.result.n_eff = interval.n_eff;
  check.stable = is_stable(interval, precision);
}

ObjectiveCheck check_gaps(const LevelRecords& records, std::span<const std::uint32_t> members,
                          const Objective& objective, double precision) {
  ObjectiveCheck check{ObjectiveResult{objective}};
  if (!chunks_are_tokens(records, members)) return check;
  const GapSeries gaps(records, members);
  if (gaps.size() == 0) return check;
  // A gap of g units is longer than the limit exactly when g > floor(limit / unit).
  const std::vector<ExceedCount> counts =
      gaps.longer_than(std::floor(static_cast<double>(objective.limit.count()) / ns_per_gap_unit));
  check.result.n = gaps.size();
  for (const ExceedCount& one : counts) check.result.above += one.exceeding;
  check.result.tau = pooled_dependence(counts).tau;
  judge_share(check.result);
  tell_percentile(gaps.interval(objective.percentile), ns_per_gap_unit, precision, check);
  return check;
}

ObjectiveCheck check_requests(const LevelRecords& records, std::span<const std::uint32_t> members,
                              const Objective& objective, double precision) {
  ObjectiveCheck check{ObjectiveResult{objective}};
  const std::vector<double> series = latency_series(
      records, members, [&](const RequestRecord& record) { return latency_ns(record, objective.metric); });
  if (series.empty()) return check;
  const auto limit = static_cast<double>(objective.limit.count());
  std::vector<std::uint8_t> exceeds(series.size());
  std::ranges::transform(series, exceeds.begin(), [&](double x) { return static_cast<std::uint8_t>(x > limit); });
  check.result.n = series.size();
  check.result.above = static_cast<std::uint64_t>(std::ranges::count(exceeds, 1));
  check.result.tau = dependence(exceeds).tau;
  judge_share(check.result);
  tell_percentile(percentile_interval(series, objective.percentile), 1, precision, check);
  return check;
}

Objective default_objective(Latency metric) { return Objective{metric, 0.99, Nanos::max()}; }

}  // namespace

std::vector<std::uint32_t> members_of_class(const LevelRecords& records, std::span<const std::uint32_t> members,
                                            const RequestClass& of) {
  std::vector<std::uint32_t> chosen;
  std::ranges::copy_if(members, std::back_inserter(chosen),
                       [&](std::uint32_t member) { return belongs_to(records.requests[member], of); });
  return chosen;
}

ObjectiveCheck check_objective(const LevelRecords& records, std::span<const std::uint32_t> members,
                               const Objective& objective, double precision) {
  std::vector<std::uint32_t> of_class;
  if (objective.of) {
    of_class = members_of_class(records, members, *objective.of);
    members = of_class;
  }
  if (objective.metric == Latency::itl) return check_gaps(records, members, objective, precision);
  return check_requests(records, members, objective, precision);
}

Verdict verdict_of_all(std::span<const ObjectiveResult> objectives) {
  if (objectives.empty()) return Verdict::open;
  const auto is = [](Verdict verdict) {
    return [verdict](const ObjectiveResult& one) { return one.verdict == verdict; };
  };
  if (std::ranges::any_of(objectives, is(Verdict::over))) return Verdict::over;
  return std::ranges::all_of(objectives, is(Verdict::under)) ? Verdict::under : Verdict::open;
}

Checks::Checks(const LevelRules& rules)
    : objectives_(rules.objectives),
      has_verdict_(!rules.objectives.empty()),
      until_stable_(rules.until_stable),
      precision_(rules.precision),
      growth_(rules.check_growth),
      next_at_(std::max<std::uint64_t>(1, rules.first_check)) {
  if (objectives_.empty()) objectives_.push_back(default_objective(Latency::ttft));
}

void Checks::advance(const LevelRecords& records, std::span<const std::uint32_t> members, std::uint64_t resolved) {
  while (!outcome_ && next_at_ <= resolved) {
    run_check(records, members.first(next_at_));
    const double next = std::ceil(static_cast<double>(next_at_) * growth_);
    next_at_ = std::max(next_at_ + 1, static_cast<std::uint64_t>(next));
  }
}

void Checks::finish(const LevelRecords& records, std::span<const std::uint32_t> members) {
  advance(records, members, members.size());
  if (outcome_ || members.empty() || last_at_ == members.size()) return;
  run_check(records, members);
  if (outcome_ || count_ > 1) return;
  by_one_check_ = true;
  if (stable_)
    outcome_ = Stability::stabilised;
  else if (verdict_ != Verdict::open && !until_stable_)
    outcome_ = Stability::decided;
  outcome_at_ = last_at_;
}

void Checks::run_check(const LevelRecords& records, std::span<const std::uint32_t> members) {
  bool stable = true;
  std::vector<ObjectiveResult> results;
  for (const Objective& objective : objectives_) {
    ObjectiveCheck check = check_objective(records, members, objective, precision_);
    // Answers in one piece have no TTFT: where nobody asked for it, their E2E says when to stop.
    if (!has_verdict_ && check.result.n == 0) {
      check = check_objective(records, members, default_objective(Latency::e2e), precision_);
    }
    stable = stable && check.stable;
    results.push_back(check.result);
  }
  const Verdict verdict = has_verdict_ ? verdict_of_all(results) : Verdict::open;
  if (stable && stable_)
    outcome_ = Stability::stabilised;
  else if (!until_stable_ && count_ > 0 && verdict != Verdict::open && verdict == verdict_)
    outcome_ = Stability::decided;
  stable_ = stable;
  verdict_ = verdict;
  last_at_ = members.size();
  outcome_at_ = last_at_;
  ++count_;
}

std::string Checks::reason() const {
  if (count_ == 0) return "no request was measured, so nothing could be checked";
  const std::string when = by_one_check_ ? fmt::format("at its only check, of {} requests", outcome_at_)
                                         : fmt::format("at two checks in a row, the last of {} requests", outcome_at_);
  if (outcome_ == Stability::stabilised) {
    return fmt::format("the interval of the percentile was within {:.0f}% {}", precision_ * 100, when);
  }
  if (outcome_ == Stability::decided) return fmt::format("the verdict was `{}` {}", name(verdict_), when);
  return fmt::format("at the last check, of {} requests, the percentile was {} and the verdict `{}`", last_at_,
                     stable_ ? "close enough only once" : "not yet known closely enough", name(verdict_));
}

}  // namespace loadline
