#include "measure/level_doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "measure/gap_series.h"
#include "measure/latency_series.h"
#include "statistics/percentile_interval.h"

namespace loadline {
namespace {

constexpr double most_lateness_ms = 5, most_cpu_share = 0.85;
constexpr std::size_t least_for_drift = 200;

class DoubtList {
 public:
  explicit DoubtList(std::uint32_t level) : level_(level) {}
  void add(std::string_view id, std::string text) { doubts_.push_back(make_doubt(id, level_, std::move(text))); }
  std::vector<Doubt> take() { return std::move(doubts_); }

 private:
  std::uint32_t level_;
  std::vector<Doubt> doubts_;
};

double share_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

void doubt_stability(const MeasuredSet& set, const LevelResult& result, DoubtList& doubts) {
  if (result.stability == Stability::saturated) {
    doubts.add("not_stabilised", fmt::format("The level has no percentiles: {}.", result.stability_reason));
  } else if (result.stability == Stability::not_stabilised) {
    std::string text = fmt::format("Neither p99 nor the verdict settled: {}.", result.stability_reason);
    if (set.censored > 0) text += fmt::format(" {} requests of the window were cut off and count neither way.", set.censored);
    doubts.add("not_stabilised", std::move(text));
  }
}

void doubt_flow(const LevelRecords& records, const MeasuredSet& set, const LevelResult& result, DoubtList& doubts) {
  if (result.littles_law) {
    const LittlesLaw& law = *result.littles_law;
    const bool is_closed = records.level.kind == LevelKind::concurrency;
    const double of_users = law.l / records.level.target;
    if (std::abs(law.ratio - 1) > 0.05) {
      doubts.add("little", fmt::format("In flight {:.3f} against arrivals times stay {:.3f} ({:.3f}/s, {:.3f} s): they differ by {:+.1f}%.",
                                       law.l, law.x * law.w_s, law.x, law.w_s, (law.ratio - 1) * 100));
    } else if (is_closed && std::abs(of_users - 1) > 0.02) {
      doubts.add("little", fmt::format("{:.3f} requests in flight on average where {:g} users should hold as many: {:+.1f}%.",
                                       law.l, records.level.target, (of_users - 1) * 100));
    }
  }
  if (share_of(set.failed, set.judged()) > 0.01) {
    doubts.add("failures", fmt::format("{} of {} measured requests failed ({:.1f}%).", set.failed, set.judged(),
                                       100 * share_of(set.failed, set.judged())));
  }
  const double due = result.offered_requests_per_s * set.window.seconds();
  const double sent = result.sent_requests_per_s * set.window.seconds();
  if (std::abs(sent - due) > 2.5 && std::abs(sent - due) > 0.02 * due) {
    doubts.add("load_not_delivered", fmt::format("{:.0f} requests were due in the window and {:.0f} were sent in it ({:+.1f}%).",
                                                 due, sent, (sent / due - 1) * 100));
  }
}

void doubt_lengths(const LevelRecords& records, const MeasuredSet& set, const LevelResult& result, DoubtList& doubts) {
  if (result.lengths_obeyed_share && *result.lengths_obeyed_share < 0.99) {
    doubts.add("lengths_not_as_drawn", fmt::format("Only {:.1f}% of the answers had the length that was asked for.",
                                                   100 * *result.lengths_obeyed_share));
  }
  std::int64_t told = 0, planned = 0;
  std::uint64_t by_tokenizer = 0, uncounted = 0;
  for (const std::uint32_t member : set.succeeded) {
    const RequestRecord& record = records.requests[member];
    if (!record.completion_tokens) ++uncounted;
    else if (record.token_source != TokenSource::server) ++by_tokenizer;
    if (!record.prompt_tokens || record.planned_prompt.value() <= 0) continue;
    told += record.prompt_tokens->value();
    planned += record.planned_prompt.value();
  }
  if (planned > 0 && std::abs(static_cast<double>(told - planned)) > 0.01 * static_cast<double>(planned)) {
    doubts.add("lengths_not_as_drawn", fmt::format("The server counted {} prompt tokens where {} were planned ({:+.1f}%).", told,
                                                   planned, (static_cast<double>(told) / static_cast<double>(planned) - 1) * 100));
  }
  if (by_tokenizer + uncounted > 0) {
    doubts.add("tokens_estimated", fmt::format("The server told no token count: of {} answers {} were counted by the tokenizer, {} not "
                                               "at all and are missing from tokens/s.", set.succeeded.size(), by_tokenizer, uncounted));
  }
}

void doubt_streams(const LevelRecords& records, const MeasuredSet& set, const LevelRules& rules, const LevelResult& result,
                   DoubtList& doubts) {
  if (result.coalesced_requests > 0) {
    doubts.add("coalesced", fmt::format("The chunks of {} of {} answers arrived together: they have no TPOT and no gaps.",
                                        result.coalesced_requests, set.succeeded.size()));
  }
  const bool asks_itl = std::ranges::any_of(rules.objectives, [](const Objective& o) { return o.metric == Latency::itl; });
  if (asks_itl && !set.succeeded.empty() && !chunks_are_tokens(records, set.members)) {
    doubts.add("coalesced", "Chunks do not carry one token each, so that an ITL objective cannot be judged here; its verdict stays open.");
  }
}

void doubt_client(const LevelRecords& records, double engine_speed, DoubtList& doubts) {
  const ClientSelf& client = records.client;
  std::vector<std::string> limits;
  const auto late = [&](std::optional<double> p99_ms, std::string_view what) {
    if (p99_ms && *p99_ms / engine_speed > most_lateness_ms) {
      limits.push_back(fmt::format("p99 of {} {:.1f} ms late", what, *p99_ms / engine_speed));
    }
  };
  late(client.read_lateness_p99_ms, "reading");
  if (records.level.kind == LevelKind::request_rate) late(client.send_lateness_p99_ms, "sending");
  if (client.cpu_share && *client.cpu_share > most_cpu_share) {
    limits.push_back(fmt::format("its busiest thread {:.0f}% busy", 100 * *client.cpu_share));
  }
  if (!limits.empty()) doubts.add("client_limited", fmt::format("The client was a bottleneck: {} (wall time).", fmt::join(limits, ", ")));
}

void doubt_drift(const LevelRecords& records, const MeasuredSet& set, const LevelResult& result, DoubtList& doubts) {
  const std::vector<double> series =
      latency_series(records, set.members, [](const RequestRecord& r) { return latency_ns(r, Latency::ttft); });
  if (result.stability == Stability::saturated || series.size() < least_for_drift) return;
  const std::span<const double> all(series);
  const PercentileInterval first = percentile_interval(all.first(series.size() / 2), 0.5);
  const PercentileInterval second = percentile_interval(all.subspan(series.size() / 2), 0.5);
  if (!first.high || !second.high || (first.low <= *second.high && second.low <= *first.high)) return;
  doubts.add("drift", fmt::format("The median TTFT was {:.1f} ms in the first half of the window and {:.1f} ms in the second, "
                                  "further apart than their intervals.", first.value / 1e6, second.value / 1e6));
}

}  // namespace

std::vector<Doubt> level_doubts(const LevelRecords& records, const MeasuredSet& set, const LevelRules& rules,
                                const LevelResult& result, double engine_speed) {
  DoubtList doubts(records.ordinal);
  doubt_stability(set, result, doubts);
  doubt_flow(records, set, result, doubts);
  doubt_lengths(records, set, result, doubts);
  doubt_streams(records, set, rules, result, doubts);
  doubt_client(records, engine_speed, doubts);
  doubt_drift(records, set, result, doubts);
  return doubts.take();
}

}  // namespace loadline
