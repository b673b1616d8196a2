#include "measure/level_doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "measure/client_doubts.h"
#include "measure/gap_series.h"
#include "measure/latency_series.h"
#include "statistics/percentile_interval.h"

namespace loadline {
namespace {

// Requests in flight at the window's edges make Little's two sides differ by some percent; users that are never idle
// leave no such excuse.
constexpr double most_off_little = 0.05, most_off_users = 0.02;
// As many failures as p99 leaves room for.
constexpr double most_failed = 0.01;
constexpr std::uint64_t least_for_warmup = 20;  // of a handful a single failure is no share
// Off the offered rate; and in number, because one or two requests due right before an edge of the window may be sent
// right after it (the half absorbs the rounding of rate times span).
constexpr double most_undelivered = 0.02, most_over_the_edges = 2.5;
constexpr double most_off_offer = 0.05, deviations_of_offer = 4;
constexpr double least_users_busy = 0.9;
// One answer in a hundred may end by itself; prompts made of words hit their length on average only.
constexpr double least_obeyed = 0.99, most_off_prompt_tokens = 0.01;
// Two halves of 100 each: enough for the interval of a median.
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
  } else if (result.stability == Stability::not_stabilised && result.level.requests == 0) {
    // Of a level whose size the sweep fixed nobody expects it: it is one of many in an estimate.
    std::string text = fmt::format("The level ended before p99 was stable or its verdict had held at two checks: {}.",
                                   result.stability_reason);
    if (set.censored > 0)
      text += fmt::format(" {} requests of the window were cut off and count neither way.", set.censored);
    doubts.add("not_stabilised", std::move(text));
  }
}

/// Requests of R that were sent so long after they were due, or never, that their load fell on another time.
double undelivered_of(const LevelRecords& records, const MeasuredSet& set) {
  const Nanos patience = nanos(Seconds(most_undelivered * set.window.seconds()));
  return static_cast<double>(std::ranges::count_if(set.members, [&](std::uint32_t member) {
    const RequestRecord& record = records.requests[member];
    return !record.sent || *record.sent - *record.due > patience;
  }));
}

void doubt_sending(const LevelRecords& records, const MeasuredSet& set, DoubtList& doubts) {
  const auto due = static_cast<double>(set.members.size());
  const double late = undelivered_of(records, set);
  if (late <= std::max(most_over_the_edges, most_undelivered * due)) return;
  doubts.add(
      "load_not_delivered",
      fmt::format("{:.0f} of the {:.0f} requests due in the window were sent more than {:.0f}% of its length late, "
                  "or not at all.",
                  late, due, 100 * most_undelivered));
}

/// How many requests random arrivals of that rate may be off by chance: their number varies by rate * span / shape.
double chance_of_offer(const Level& level, double asked) {
  if (level.arrivals == Arrivals::constant) return most_over_the_edges;
  const double shape = level.arrivals == Arrivals::gamma ? std::min(level.burstiness, 1.0) : 1;
  return deviations_of_offer * std::sqrt(asked / shape);
}

/// With --think-times the offered rate is the asked one only when conversations have built up.
void doubt_offer(const MeasuredSet& set, const LevelResult& result, DoubtList& doubts) {
  if (result.level.arrivals == Arrivals::trace) return;
  const double asked = result.level.target * set.window.seconds();
  const double offered = result.offered_requests_per_s * set.window.seconds();
  if (std::abs(offered - asked) <= std::max(most_off_offer * asked, chance_of_offer(result.level, asked))) return;
  doubts.add("load_not_delivered",
             fmt::format("{:.3g} requests/s were asked for and {:.3g} were offered in the window: the pauses of "
                         "conversations are longer than the level, so their later turns had not built up.",
                         result.level.target, result.offered_requests_per_s));
}

/// A conversation waits for its own answer: a plan of few leaves users without one.
void doubt_idle_users(const MeasuredSet& set, const LevelResult& result, DoubtList& doubts) {
  if (set.members.empty() || result.in_flight_mean >= least_users_busy * result.level.target) return;
  doubts.add(
      "load_not_delivered",
      fmt::format(
          "{:.3g} of {:.0f} users had a request in flight on average: requests failed, the level was as short as its last answers, or the input has too few conversations "
          "at once for so many users.",
          result.in_flight_mean, result.level.target));
}

void doubt_delivery(const LevelRecords& records, const MeasuredSet& set, const LevelResult& result, DoubtList& doubts) {
  if (records.level.kind == LevelKind::concurrency) return doubt_idle_users(set, result, doubts);
  doubt_sending(records, set, doubts);
  doubt_offer(set, result, doubts);
}

struct Tried {
  std::uint64_t released = 0, failed = 0;
};

Tried before_window(const LevelRecords& records, const MeasuredSet& set) {
  Tried tried;
  for (const RequestRecord& record : records.requests) {
    if (!record.due || (set.has_window && *record.due >= set.window.start)) continue;
    ++tried.released;
    tried.failed += failed(record.outcome) ? 1 : 0;
  }
  return tried;
}

void doubt_failures(const LevelRecords& records, const MeasuredSet& set, const LevelResult& result, DoubtList& doubts) {
  const Tried warmup = before_window(records, set);
  const bool warmup_failed =
      warmup.released >= least_for_warmup && share_of(warmup.failed, warmup.released) > most_failed;
  // That a queue grows is a finding by itself, also before the window opened.
  const bool is_saturated = result.stability == Stability::saturated;
  std::vector<std::string> said;
  if (share_of(set.failed, set.judged()) > most_failed) {
    said.push_back(fmt::format("{} of {} measured requests failed ({:.1f}%).", set.failed, set.judged(),
                               100 * share_of(set.failed, set.judged())));
  } else if (set.succeeded.empty() && !is_saturated) {
    said.push_back(set.members.empty()
                       ? "Nothing was measured: no request was due in a window."
                       : fmt::format("Nothing was measured: none of the {} requests of the window was answered.",
                                     set.members.size()));
  }
  if (warmup_failed || (set.succeeded.empty() && warmup.failed > 0)) {
    said.push_back(fmt::format("{} of {} requests of the warm-up failed ({:.1f}%).", warmup.failed, warmup.released,
                               100 * share_of(warmup.failed, warmup.released)));
  }
  if (!said.empty()) doubts.add("failures", fmt::format("{}", fmt::join(said, " ")));
}

void doubt_flow(const LevelRecords& records, const MeasuredSet& set, const LevelResult& result, DoubtList& doubts) {
  if (result.littles_law) {
    const LittlesLaw& law = *result.littles_law;
    const bool is_closed = records.level.kind == LevelKind::concurrency;
    const double of_users = law.l / records.level.target;
    if (std::abs(law.ratio - 1) > most_off_little) {
      doubts.add(
          "little",
          fmt::format(
              "In flight {:.3f} against arrivals times stay {:.3f} ({:.3f}/s, {:.3f} s): they differ by {:+.1f}%.",
              law.l, law.x * law.w_s, law.x, law.w_s, (law.ratio - 1) * 100));
    } else if (is_closed && std::abs(of_users - 1) > most_off_users) {
      doubts.add("little",
                 fmt::format("{:.3f} requests in flight on average where {:g} users should hold as many: {:+.1f}%.",
                             law.l, records.level.target, (of_users - 1) * 100));
    }
  }
  doubt_failures(records, set, result, doubts);
  doubt_delivery(records, set, result, doubts);
}

void doubt_lengths(const LevelRecords& records, const MeasuredSet& set, const LevelResult& result, DoubtList& doubts) {
  if (result.lengths_obeyed_share && *result.lengths_obeyed_share < least_obeyed) {
    doubts.add("lengths_not_as_drawn", fmt::format("Only {:.1f}% of the answers had the length that was asked for.",
                                                   100 * *result.lengths_obeyed_share));
  }
  std::int64_t told = 0, planned = 0;
  std::uint64_t by_tokenizer = 0, uncounted = 0;
  for (const std::uint32_t member : set.succeeded) {
    const RequestRecord& record = records.requests[member];
    if (!record.completion_tokens)
      ++uncounted;
    else if (record.token_source != TokenSource::server)
      ++by_tokenizer;
    if (!record.prompt_tokens || record.planned_prompt.value() <= 0) continue;
    told += record.prompt_tokens->value();
    planned += record.planned_prompt.value();
  }
  if (planned > 0 &&
      std::abs(static_cast<double>(told - planned)) > most_off_prompt_tokens * static_cast<double>(planned)) {
    doubts.add("lengths_not_as_drawn",
               fmt::format("The server counted {} prompt tokens where {} were planned ({:+.1f}%).", told, planned,
                           (static_cast<double>(told) / static_cast<double>(planned) - 1) * 100));
  }
  if (by_tokenizer + uncounted > 0) {
    doubts.add("tokens_estimated",
               fmt::format("Of {} answers the server told no token count of {}: {} were counted from their text by "
                           "--tokenizer, {} not at all, which are missing from tokens/s.",
                           set.succeeded.size(), by_tokenizer + uncounted, by_tokenizer, uncounted));
  }
}

void doubt_streams(const LevelRecords& records, const MeasuredSet& set, const LevelRules& rules,
                   const LevelResult& result, DoubtList& doubts) {
  if (result.coalesced_requests > 0) {
    doubts.add("coalesced",
               fmt::format("The chunks of {} of {} answers arrived together: they have no TPOT and no gaps.",
                           result.coalesced_requests, set.succeeded.size()));
  }
  const bool asks_itl =
      std::ranges::any_of(rules.objectives, [](const Objective& o) { return o.metric == Latency::itl; });
  if (asks_itl && !set.succeeded.empty() && !chunks_are_tokens(records, set.members)) {
    doubts.add(
        "coalesced",
        "Chunks do not carry one token each, so that an ITL objective cannot be judged here; its verdict stays open.");
  }
}

void doubt_classes(const MeasuredSet& set, const LevelResult& result, DoubtList& doubts) {
  for (const ObjectiveResult& one : result.objectives) {
    if (!one.objective.of || one.n > 0 || set.succeeded.empty()) continue;
    doubts.add("class_empty",
               fmt::format("No measured request with a {} is of the class {}: its objective stays open here.",
                           name(one.objective.metric), class_text(*one.objective.of)));
  }
}

void doubt_clock(const LevelRecords& records, DoubtList& doubts) {
  if (!records.client.clock_stepped) return;
  doubts.add("clock_jumped",
             "The clock of a machine of this client was set while the level ran: the kernel's receive stamps of that "
             "moment cannot be trusted.");
}

void doubt_cap(const LevelRecords& records, DoubtList& doubts) {
  if (records.client.held_back == 0) return;
  doubts.add("in_flight_capped",
             fmt::format("{} of {} requests waited inside the client because {} were in flight, as many as "
                         "--max-concurrency allows: the load followed the server. The wait is in their latencies.",
                         records.client.held_back, records.requests.size(), records.level.max_in_flight));
}

void doubt_drift(const LevelRecords& records, const MeasuredSet& set, const LevelResult& result, DoubtList& doubts) {
  const std::vector<double> series =
      latency_series(records, set.members, [](const RequestRecord& r) { return latency_ns(r, Latency::ttft); });
  if (result.stability == Stability::saturated || series.size() < least_for_drift) return;
  const std::span<const double> all(series);
  const PercentileInterval first = percentile_interval(all.first(series.size() / 2), 0.5);
  const PercentileInterval second = percentile_interval(all.subspan(series.size() / 2), 0.5);
  if (!first.high || !second.high || (first.low <= *second.high && second.low <= *first.high)) return;
  doubts.add("drift",
             fmt::format("The median TTFT was {:.1f} ms in the first half of the window and {:.1f} ms in the second, "
                         "further apart than their intervals.",
                         first.value / 1e6, second.value / 1e6));
}

}  // namespace

std::vector<Doubt> level_doubts(const LevelRecords& records, const MeasuredSet& set, const LevelRules& rules,
                                const LevelResult& result, double engine_speed, const ClientCalibration* calibration) {
  DoubtList doubts(records.ordinal);
  doubt_stability(set, result, doubts);
  doubt_flow(records, set, result, doubts);
  doubt_lengths(records, set, result, doubts);
  doubt_streams(records, set, rules, result, doubts);
  const ClientDoubts client = client_doubts(records, set, result, engine_speed, calibration);
  if (!client.limited.empty()) doubts.add("client_limited", client.limited);
  if (!client.unproven.empty()) doubts.add("client_unproven", client.unproven);
  doubt_classes(set, result, doubts);
  doubt_clock(records, doubts);
  doubt_cap(records, doubts);
  doubt_drift(records, set, result, doubts);
  return doubts.take();
}

}  // namespace loadline
