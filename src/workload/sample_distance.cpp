#include "workload/sample_distance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "core/random.h"
#include "workload/log_sharing.h"
#include "workload/session_units.h"
#include "workload/sharing.h"

namespace loadline {
namespace {

constexpr double critical_value = 1.63, ks_allowance = 0.02, hit_rate_tolerance = 0.04;

/// Compares the lengths that are known; absent where one side knows none.
std::optional<double> compare(std::vector<std::int64_t> log, std::vector<std::int64_t> sample, std::uint64_t& log_n,
                              std::uint64_t& sample_n) {
  std::erase(log, 0);
  std::erase(sample, 0);
  log_n = log.size();
  sample_n = sample.size();
  if (log.empty() || sample.empty()) return std::nullopt;
  return ks_distance(std::move(log), std::move(sample));
}

template <class Row, class Length>
std::vector<std::int64_t> lengths_of(std::span<const Row> rows, Length length) {
  std::vector<std::int64_t> lengths;
  lengths.reserve(rows.size());
  for (const Row& row : rows) lengths.push_back(length(row).value());
  return lengths;
}

void compare_lengths(const Trace& trace, std::span<const Request> sample, SampleDistance& distance) {
  const std::span<const TraceRow> log(trace.rows);
  const auto sent_prompt = [](const Request& request) { return request.prompt.length; };
  const auto sent_completion = [](const Request& request) { return request.completion; };
  distance.prompt_ks = compare(lengths_of(log, [](const TraceRow& row) { return row.prompt; }),
                               lengths_of(sample, sent_prompt), distance.log_prompts, distance.sample_prompts);
  distance.completion_ks =
      compare(lengths_of(log, [](const TraceRow& row) { return row.completion; }), lengths_of(sample, sent_completion),
              distance.log_completions, distance.sample_completions);
}

double sent_hit_rate(const Workload& workload, std::span<const Request> sample) {
  UnboundedCache cache(workload.blocks, workload.block_size);
  for (const Request& request : workload.history) cache.remember(request.prompt);
  for (const Request& request : sample) cache.take(request.prompt);
  return cache.token_hit_rate();
}

/// The drawn rows with the prompts that the log has.
class UncutRows {
 public:
  UncutRows(const Trace& trace, Sampler sampler)
      : trace_(trace),
        hashed_(has_block_ids(trace)),
        whole_sessions_(sampler != Sampler::rows),
        cache_(trace.blocks, trace.block_size) {}

  void remember(std::uint64_t row, std::uint64_t sharing_namespace) { hit(row, sharing_namespace); }
  void take(std::uint64_t row, std::uint64_t sharing_namespace) {
    hit_ += hit(row, sharing_namespace);
    asked_ += trace_.rows.at(row).prompt;
  }
  std::optional<double> token_hit_rate() const {
    if (asked_.value() == 0) return std::nullopt;
    return static_cast<double>(hit_.value()) / static_cast<double>(asked_.value());
  }

 private:
  Tokens hit(std::uint64_t number, std::uint64_t sharing_namespace) {
    const TraceRow& row = trace_.rows.at(number);
    if (hashed_) return cache_.take({row.prompt, row.first_block, row.block_count, sharing_namespace, 0});
    if (!whole_sessions_ || row.session == no_session) return Tokens(0);
    return sessions_.take(mix(sharing_namespace, row.session), row.prompt);
  }

  const Trace& trace_;
  bool hashed_, whole_sessions_;
  UnboundedCache cache_;
  SessionHits sessions_;
  Tokens hit_, asked_;
};

std::optional<double> uncut_hit_rate(const Trace& trace, const Workload& workload, std::size_t n) {
  UncutRows rows(trace, workload.sampler);
  for (const Request& request : workload.history) rows.remember(request.row, request.prompt.sharing_namespace);
  auto dropped = workload.dropped.begin();
  for (std::size_t i = 0; i < n; ++i) {
    for (; dropped != workload.dropped.end() && dropped->place <= i; ++dropped) {
      rows.take(dropped->row, dropped->sharing_namespace);
    }
    rows.take(workload.requests[i].row, workload.requests[i].prompt.sharing_namespace);
  }
  return rows.token_hit_rate();
}

std::string ks_sentence(const char* of, double ks, std::uint64_t log, std::uint64_t sample) {
  const auto n = static_cast<double>(sample), m = static_cast<double>(log);
  const double tolerated = critical_value * std::sqrt((n + m) / (n * m)) + ks_allowance;
  if (!(ks > tolerated)) return "";
  return fmt::format(
      "The {} lengths of {} requests are {:.3f} from those of the log's {} (Kolmogorov-Smirnov); up to {:.3f} would be "
      "chance.",
      of, sample, ks, log, tolerated);
}

std::string hit_rate_sentence(const SampleDistance& distance) {
  const double log = *distance.log_hit_rate, sample = *distance.sample_hit_rate;
  if (!(std::abs(sample - log) > hit_rate_tolerance)) return "";
  const char* knows =
      distance.sharing == SharingOrigin::cached_counts ? "the log's server had cached" : "the log shares";
  return fmt::format(
      "The requests share {:.1f}% of their prompt tokens with earlier ones, {} {:.1f}%: more than {:.0f} points apart.",
      100 * sample, knows, 100 * log, 100 * hit_rate_tolerance);
}

}  // namespace

SampleDistance sample_distance(const Trace& trace, const Workload& workload, std::size_t n) {
  n = std::min(n, workload.requests.size());
  const auto sample = std::span(workload.requests).first(n);
  SampleDistance distance;
  compare_lengths(trace, sample, distance);
  distance.log_hit_rate = log_sharing(trace).token_hit_rate;
  if (!distance.log_hit_rate || n == 0) return distance;
  distance.sharing = has_block_ids(trace) ? SharingOrigin::hashed : trace.sharing;
  distance.sample_hit_rate = sent_hit_rate(workload, sample);
  if (workload.cut_prompts + workload.dropped_prompts > 0) distance.uncut_hit_rate = uncut_hit_rate(trace, workload, n);
  return distance;
}

std::vector<std::string> reasons_for_doubt(const SampleDistance& distance) {
  std::vector<std::string> reasons;
  if (distance.prompt_ks) {
    reasons.push_back(ks_sentence("prompt", *distance.prompt_ks, distance.log_prompts, distance.sample_prompts));
  }
  if (distance.completion_ks) {
    reasons.push_back(
        ks_sentence("completion", *distance.completion_ks, distance.log_completions, distance.sample_completions));
  }
  if (distance.log_hit_rate && distance.sample_hit_rate) reasons.push_back(hit_rate_sentence(distance));
  std::erase(reasons, "");
  return reasons;
}

}  // namespace loadline
