#include "measure/measure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/random.h"
#include "measure/failure_messages.h"
#include "measure/fluidity.h"
#include "measure/gap_series.h"
#include "measure/goodput.h"
#include "measure/measured_set.h"
#include "measure/token_flow.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

/// A level measured from 10 s to 20 s, to which requests are added by hand.
struct HandMade {
  LevelRecords records;

  HandMade() {
    records.level = {LevelKind::concurrency, 1, Arrivals::closed};
    records.window_start = run_start + 10s;
    records.window_end = run_start + 20s;
    records.ended = run_start + 30s;
  }
  RequestRecord& add(Nanos due, Nanos first, Nanos gap, std::int64_t tokens) {
    RequestRecord record;
    record.serial = static_cast<std::uint32_t>(records.requests.size());
    record.due = record.sent = run_start + due;
    record.first_token = record.first_answer = *record.due + first;
    record.last_token = record.closed = *record.first_token + gap * (tokens - 1);
    record.prompt_tokens = record.planned_prompt = Tokens(50);
    record.completion_tokens = record.planned_completion = Tokens(tokens);
    record.token_source = TokenSource::server;
    record.events = static_cast<std::uint32_t>(tokens);
    record.gaps = records.gaps.append(std::vector<std::uint32_t>(
        static_cast<std::size_t>(tokens - 1), static_cast<std::uint32_t>(gap.count() / nanos_per_gap_unit)));
    record.outcome = Outcome::ok;
    records.requests.push_back(record);
    return records.requests.back();
  }
  RequestRecord& add_failed(Nanos due, Nanos after, Outcome outcome) {
    RequestRecord record;
    record.serial = static_cast<std::uint32_t>(records.requests.size());
    record.due = record.sent = run_start + due;
    record.closed = *record.due + after;
    record.outcome = outcome;
    records.requests.push_back(record);
    return records.requests.back();
  }
  LevelResult measured(const LevelRules& rules = {}, const GoodputLimits& limits = {}) const {
    return measure(records, rules, limits);
  }
};

std::set<std::string> ids(const LevelResult& result) {
  std::set<std::string> found;
  for (const Doubt& doubt : result.doubts) found.insert(doubt.id);
  return found;
}

TEST(Measure, OneUserAnsweredOneAfterTheOther) {
  // A request every second: 200 ms to the first token, 8 gaps of 100 ms. 9 tokens a second, always one in flight.
  HandMade level;
  for (int i = 0; i < 30; ++i) level.add(std::chrono::seconds(i), 200ms, 100ms, 9);
  const LevelResult result = level.measured();
  EXPECT_EQ(result.measured_requests, 10u);
  EXPECT_EQ(result.warmup_requests, 10u);
  EXPECT_EQ(result.books.planned, 30u);
  EXPECT_DOUBLE_EQ(result.warmup_s, 10);
  EXPECT_DOUBLE_EQ(result.measured_s, 10);
  EXPECT_DOUBLE_EQ(result.completed_requests_per_s, 1);
  EXPECT_DOUBLE_EQ(*result.ttft_ms.p99, 200);
  EXPECT_DOUBLE_EQ(*result.e2e_ms.p50, 1000);
  EXPECT_DOUBLE_EQ(*result.tpot_ms.mean, 100);
  EXPECT_DOUBLE_EQ(*result.itl_ms.p50, 100);
  EXPECT_EQ(result.itl_ms.n, 80u);
  EXPECT_EQ(result.chunk_gap_ms.n, 0u);
  EXPECT_NEAR(*result.user_rate.p50, 10, 1e-9);
  EXPECT_NEAR(*result.end_to_end_rate.p50, 9, 1e-9);
  // The request due at 9 s ends with a token at 10 s exactly, inside; the one due at 19 s has its last at 20 s,
  // outside.
  EXPECT_DOUBLE_EQ(result.aggregate_output_tokens_per_s, 9);
  EXPECT_DOUBLE_EQ(result.in_flight_mean, 1);
  EXPECT_DOUBLE_EQ(result.in_flight_max, 1);
  EXPECT_NEAR(result.in_decode_mean, 0.8, 1e-9);
  EXPECT_DOUBLE_EQ(result.littles_law->ratio, 1);
  EXPECT_DOUBLE_EQ(result.littles_law->w_s, 1);
  // 8 decode steps at contexts 51 .. 58.
  EXPECT_DOUBLE_EQ(result.mean_context_tokens, 54.5);
  EXPECT_EQ(result.shapes.size(), 10u);
  EXPECT_EQ(result.lengths_obeyed_share, 1.0);
  EXPECT_FALSE(result.cache.measured_rate) << "the server said nothing of a cache";
  EXPECT_EQ(ids(result), std::set<std::string>{"not_stabilised"});
}

TEST(Measure, FailuresAreInfinitelySlowAndOfRateZero) {
  HandMade level;
  for (int i = 0; i < 18; ++i) level.add(10s + i * 500ms, 100ms, 10ms, 11);
  level.add_failed(19s, 300ms, Outcome::http_5xx);
  level.add_failed(19s + 1ms, 300ms, Outcome::idle_timeout).events = 0;
  LevelRules rules;
  rules.objectives = {{Latency::ttft, 0.99, 150ms}, {Latency::ttft, 0.5, 150ms}};
  const LevelResult result = level.measured(rules);
  EXPECT_EQ(result.measured_failed, 2u);
  EXPECT_EQ(result.ttft_ms.n, 18u);
  EXPECT_EQ(result.ttft_ms.n_all, 20u);
  EXPECT_DOUBLE_EQ(*result.ttft_ms.p99, 100);
  EXPECT_FALSE(result.ttft_ms.p99_failures_as_infinite);
  EXPECT_EQ(result.user_rate.n, 20u);
  EXPECT_EQ(*result.user_rate.p10, 0) << "two of twenty: the slow tenth";
  EXPECT_EQ(result.objectives[0].above, 2u);
  EXPECT_EQ(result.objectives[0].n, 20u);
  EXPECT_EQ(result.objectives[1].above, 2u);
  EXPECT_NE(result.objectives[1].verdict, Verdict::over);
  EXPECT_TRUE(ids(result).contains("failures"));
  EXPECT_DOUBLE_EQ(*result.attainment, 0.9);
}

TEST(Measure, CensoredAndUnsentCountNeitherWay) {
  HandMade level;
  for (int i = 0; i < 10; ++i) level.add(10s + i * 900ms, 100ms, 10ms, 11);
  level.add_failed(19s, 1s, Outcome::censored);
  level.add_failed(19s + 1ms, 0ms, Outcome::unsent).sent.reset();
  const LevelResult result = level.measured();
  EXPECT_EQ(result.measured_requests, 12u);
  EXPECT_EQ(result.ttft_ms.n_all, 10u);
  EXPECT_EQ(result.measured_failed, 0u);
  EXPECT_EQ(result.user_rate.n, 10u);
  EXPECT_EQ(result.books.of(Outcome::censored), 1u);
  EXPECT_EQ(result.books.of(Outcome::unsent), 1u);
}

/// `count` answers in one piece, 500 ms after their due times.
void add_in_one_piece(HandMade& level, int count) {
  for (int i = 0; i < count; ++i) {
    RequestRecord& record = level.add(10s + i * 10ms, 500ms, 0ms, 1);
    record.first_token.reset();
    record.first_answer.reset();
    record.completion_tokens = record.planned_completion = Tokens(40);
  }
}

TEST(Measure, AnswersInOnePieceHaveNoTtftAndAreNotSlowForIt) {
  HandMade level;
  add_in_one_piece(level, 900);
  for (int i = 0; i < 100; ++i) level.add_failed(19s + i * 1ms, 1s, Outcome::http_5xx);
  LevelRules rules;
  rules.objectives = {{Latency::ttft, 0.99, 100ms}, {Latency::tpot, 0.99, 1ms}};
  const LevelResult result = level.measured(rules);
  EXPECT_EQ(result.ttft_ms.n_all, 0u) << "a hundred failures are no distribution of TTFT";
  EXPECT_FALSE(result.ttft_ms.p99);
  EXPECT_EQ(result.service_ttft_ms.n_all, 0u);
  EXPECT_EQ(result.tpot_ms.n_all, 0u);
  EXPECT_EQ(result.itl_ms.n, 0u);
  EXPECT_EQ(result.verdict, Verdict::open) << "nobody knows";
  for (const ObjectiveResult& one : result.objectives) EXPECT_EQ(one.n, 0u);
  EXPECT_DOUBLE_EQ(*result.e2e_ms.p50, 500);
  EXPECT_EQ(result.e2e_ms.n_all, 1000u);
  EXPECT_DOUBLE_EQ(result.aggregate_output_tokens_per_s, 900 * 40 / 10.0) << "with the last byte, all of them";
}

TEST(Measure, AnswersInOnePieceAreJudgedByTheirE2e) {
  HandMade level;
  add_in_one_piece(level, 900);
  LevelRules rules;
  rules.objectives = {{Latency::e2e, 0.99, 600ms}};
  EXPECT_EQ(level.measured(rules).verdict, Verdict::under);
  rules.objectives = {{Latency::e2e, 0.99, 400ms}};
  EXPECT_EQ(level.measured(rules).verdict, Verdict::over);
}

TEST(Measure, ALevelOfAnswersInOnePieceIsStableByItsE2e) {
  HandMade level;
  add_in_one_piece(level, 900);
  EXPECT_EQ(level.measured().stability, Stability::stabilised);
}

TEST(Measure, ALevelWhereAllFailedStaysInfinitelySlow) {
  HandMade level;
  for (int i = 0; i < 100; ++i) level.add_failed(10s + i * 1ms, 1s, Outcome::http_5xx);
  LevelRules rules;
  rules.objectives = {{Latency::ttft, 0.99, 100ms}};
  EXPECT_EQ(level.measured(rules).verdict, Verdict::over);
}

TEST(Measure, ChunksAreTokensWhereTheyToldThatTheyAre) {
  HandMade level;
  for (int i = 0; i < 10; ++i) level.add(11s + i * 1ms, 100ms, 10ms, 100);
  std::vector<std::uint32_t> members(10);
  for (std::uint32_t i = 0; i < 10; ++i) members[i] = i;
  EXPECT_TRUE(chunks_are_tokens(level.records, members)) << "by the sum, where nothing better is told";
  for (RequestRecord& record : level.records.requests) record.single_token_events = 100;
  EXPECT_TRUE(chunks_are_tokens(level.records, members));
  level.records.requests[0].single_token_events = 90;
  EXPECT_TRUE(chunks_are_tokens(level.records, members)) << "10 of 1,000 chunks";
  level.records.requests[1].single_token_events = 99;
  EXPECT_FALSE(chunks_are_tokens(level.records, members)) << "11 of 1,000: others of none and of two, the sum is right";
}

TEST(Measure, TokensAreSpreadOverChunks) {
  HandMade level;
  RequestRecord& record = level.add(9s, 500ms, 200ms, 6);  // chunks at 9.5, 9.7, 9.9 | 10.1, 10.3, 10.5
  const Window window{run_start + 10s, run_start + 20s};
  EXPECT_NEAR(tokens_inside(level.records, record, 6, window), 3, 1e-12);
  EXPECT_NEAR(tokens_inside(level.records, record, 21, window), 3 * 4, 1e-12) << "1 to the first, 20 over five";
  record.first_event_tokens = Tokens(11);
  EXPECT_NEAR(tokens_inside(level.records, record, 21, window), 3 * 2, 1e-12) << "11 known to be in the first";
  RequestRecord& single = level.add(15s, 500ms, 0ms, 1);
  EXPECT_NEAR(tokens_inside(level.records, single, 40, window), 40, 1e-12) << "one chunk carries all";
  EXPECT_NEAR(tokens_inside(level.records, single, 40, Window{run_start, run_start + 15s}), 0, 1e-12);
}

TEST(Measure, AnUndefinedTpotLeavesThePercentilesAndMeetsItsLimit) {
  HandMade level;
  level.add(11s, 100ms, 50ms, 5);
  level.add(12s, 100ms, 50ms, 1);
  level.add(13s, 100ms, 50ms, 5).coalesced = true;
  const GoodputLimits limits{std::nullopt, Nanos(40ms), std::nullopt};
  const LevelResult result = level.measured({}, limits);
  EXPECT_EQ(result.tpot_ms.n, 1u);
  EXPECT_EQ(result.user_rate.n, 1u);
  EXPECT_EQ(result.coalesced_requests, 1u);
  EXPECT_EQ(result.itl_ms.n, 4u) << "the gaps of a coalesced stream are no gaps";
  EXPECT_DOUBLE_EQ(*result.attainment, 2.0 / 3);
  EXPECT_TRUE(ids(result).contains("coalesced"));
}

TEST(Measure, ChunksOfSeveralTokensHaveNoItl) {
  HandMade level;
  for (int i = 0; i < 10; ++i) level.add(10s + i * 900ms, 100ms, 10ms, 50).completion_tokens = Tokens(100);
  LevelRules rules;
  rules.objectives = {{Latency::itl, 0.99, 100ms}};
  const LevelResult result = level.measured(rules);
  EXPECT_EQ(result.itl_ms.n_all, 0u);
  EXPECT_EQ(result.chunk_gap_ms.n, 490u);
  EXPECT_EQ(result.objectives[0].n, 0u);
  EXPECT_EQ(result.objectives[0].verdict, Verdict::open);
  EXPECT_TRUE(ids(result).contains("coalesced"));
  for (RequestRecord& record : level.records.requests) record.completion_tokens = Tokens(50);
  EXPECT_EQ(level.measured(rules).objectives[0].n, 490u);
}

TEST(Measure, GapObjectivesCountGaps) {
  HandMade level;
  for (int i = 0; i < 400; ++i) level.add(10s + i * 20ms, 100ms, i % 100 == 7 ? Nanos(120ms) : Nanos(10ms), 101);
  level.records.ended = run_start + 60s;
  LevelRules rules;
  rules.objectives = {{Latency::itl, 0.99, 100ms}};
  const LevelResult result = level.measured(rules);
  EXPECT_EQ(result.objectives[0].n, 40000u);
  EXPECT_EQ(result.objectives[0].above, 400u);
  EXPECT_GT(result.objectives[0].tau, 10) << "the gaps of one request go together";
  EXPECT_EQ(result.objectives[0].verdict, Verdict::open);
}

TEST(Measure, LimitsOfObjectivesServeGoodput) {
  const std::vector<Objective> objectives = {
      {Latency::ttft, 0.99, 1s}, {Latency::ttft, 0.5, 300ms}, {Latency::itl, 0.99, 1ms}};
  const GoodputLimits limits = effective_limits({}, objectives);
  EXPECT_EQ(limits.ttft, Nanos(300ms));
  EXPECT_FALSE(limits.tpot);
  EXPECT_FALSE(effective_limits({std::nullopt, Nanos(5ms), std::nullopt}, objectives).ttft)
      << "explicit limits stand alone";
}

TEST(Measure, CacheRateIsOfRequestsThatTold) {
  HandMade level;
  level.add(11s, 100ms, 10ms, 5).cached_tokens = Tokens(40);
  level.add(12s, 100ms, 10ms, 5).cached_tokens = Tokens(0);
  level.add(13s, 100ms, 10ms, 5);
  const LevelResult result = level.measured();
  EXPECT_DOUBLE_EQ(*result.cache.measured_rate, 0.4);
  EXPECT_EQ(result.cache.source, "usage");
  EXPECT_NEAR(result.request_means.cached_tokens, 40.0 / 3, 1e-12);
  EXPECT_NEAR(result.request_means.new_tokens, 110.0 / 3, 1e-12);
}

TEST(Measure, MoreHitsThanPromptTokensTellNothing) {
  HandMade level;
  level.add(11s, 100ms, 10ms, 5).cached_tokens = Tokens(51);
  EXPECT_FALSE(level.measured().cache.measured_rate);
  EXPECT_EQ(level.measured().request_means.cached_tokens, 0);
  level.add(12s, 100ms, 10ms, 5).cached_tokens = Tokens(50);
  EXPECT_DOUBLE_EQ(*level.measured().cache.measured_rate, 1);
}

TEST(Measure, AnswersWithoutTokenCountsHaveNoAggregate) {
  for (const int uncounted : {1, 2}) {
    HandMade level;
    for (int i = 0; i < 100; ++i) level.add(10s + i * 90ms, 100ms, 10ms, 11);
    level.add(1s, 100ms, 10ms, 11).completion_tokens.reset();
    for (int i = 0; i < uncounted; ++i) level.records.requests[static_cast<std::size_t>(i)].completion_tokens.reset();
    LevelRules rules;
    rules.objectives = {{Latency::ttft, 0.99, 150ms}};
    const LevelResult result = level.measured(rules);
    EXPECT_EQ(result.tokens_counted, uncounted == 1) << "one of a hundred may be missing; the warm-up does not count";
    EXPECT_EQ(result.known_output_tokens_per_s().has_value(), uncounted == 1);
    EXPECT_EQ(result.aggregate_per_user_tokens_per_s.has_value(), uncounted == 1);
    EXPECT_EQ(result.goodput_output_tokens_per_s.has_value(), uncounted == 1);
    EXPECT_DOUBLE_EQ(*result.goodput_requests_per_s, 10) << "requests are good or not without being counted";
    EXPECT_DOUBLE_EQ(*result.attainment, 1);
    EXPECT_EQ(level.measured({}, {std::nullopt, Nanos(50ms), std::nullopt}).attainment.has_value(), uncounted == 1)
        << "a TPOT limit cannot be judged";
  }
}

TEST(Measure, NothingAnsweredIsNoResult) {
  HandMade level;
  for (int i = 0; i < 30; ++i) level.add_failed(10s + i * 100ms, 10ms, Outcome::http_5xx);
  LevelRules rules;
  rules.objectives = {{Latency::ttft, 0.99, 150ms}};
  const LevelResult failed = level.measured(rules);
  EXPECT_EQ(failed.stability, Stability::not_stabilised);
  EXPECT_EQ(failed.stability_reason, "every request failed, 30 in the window");
  EXPECT_TRUE(ids(failed).contains("failures"));
  level.records.window_start.reset();
  const LevelResult never_warm = level.measured(rules);
  EXPECT_EQ(never_warm.stability_reason, "every request failed during warm-up");
  const auto doubt = std::ranges::find(never_warm.doubts, std::string("failures"), &Doubt::id);
  ASSERT_NE(doubt, never_warm.doubts.end());
  EXPECT_TRUE(doubt->invalidates);
  EXPECT_EQ(doubt->text,
            "Nothing was measured: no request was due in a window. 30 of 30 requests of the warm-up failed (100.0%).");
  HandMade empty;
  empty.add(1s, 100ms, 10ms, 5);
  EXPECT_TRUE(ids(empty.measured()).contains("failures")) << "nothing failed, nothing was measured";
  HandMade cut_off;
  cut_off.add_failed(11s, 1s, Outcome::censored);
  EXPECT_TRUE(ids(cut_off.measured()).contains("failures"));
}

TEST(Measure, FailuresOfTheWarmupAreDoubted) {
  for (const int failures : {0, 1}) {
    for (const int released : {19, 20}) {
      HandMade level;
      for (int i = 0; i < released - failures; ++i) level.add(i * 100ms, 100ms, 10ms, 5);
      for (int i = 0; i < failures; ++i) level.add_failed(5s, 10ms, Outcome::rejected);
      level.add(11s, 100ms, 10ms, 5);
      EXPECT_EQ(ids(level.measured()).contains("failures"), failures == 1 && released == 20);
    }
  }
}

TEST(Measure, LengthsThatWereNotObeyed) {
  HandMade level;
  for (int i = 0; i < 10; ++i) level.add(10s + i * 900ms, 100ms, 10ms, 50);
  level.records.requests[3].planned_completion = Tokens(60);
  level.records.requests[3].outcome = Outcome::short_answer;
  level.records.requests[4].prompt_tokens = Tokens(90);
  const LevelResult result = level.measured();
  EXPECT_DOUBLE_EQ(*result.lengths_obeyed_share, 0.9);
  EXPECT_EQ(std::ranges::count(result.doubts, std::string("lengths_not_as_drawn"), &Doubt::id), 2);
}

TEST(Measure, ATokenizersCountMeasuresButJudgesNoForcedLength) {
  HandMade level;
  for (int i = 0; i < 10; ++i) level.add(10s + i * 900ms, 100ms, 10ms, 50);
  for (int i = 0; i < 4; ++i) {
    level.records.requests[static_cast<std::size_t>(i)].token_source = TokenSource::tokenizer;
    level.records.requests[static_cast<std::size_t>(i)].completion_tokens = Tokens(49);
  }
  level.records.requests[4].token_source = TokenSource::none;
  level.records.requests[4].completion_tokens.reset();
  const LevelResult result = level.measured();
  EXPECT_EQ(result.completion_tokens.n, 9u);
  EXPECT_EQ(result.completion_tokens.min, 49);
  EXPECT_EQ(result.lengths_obeyed_share, 1.0) << "of those that the server counted";
  const auto doubt = std::ranges::find(result.doubts, std::string("tokens_estimated"), &Doubt::id);
  ASSERT_NE(doubt, result.doubts.end());
  EXPECT_EQ(
      doubt->text,
      "Of 10 answers the server told no token count of 5: 4 were counted from their text by --tokenizer, 1 not at "
      "all, which are missing from tokens/s.");
}

TEST(Measure, LengthsThatNobodyPlannedAreNoneOfZero) {
  HandMade level;
  for (int i = 0; i < 10; ++i) {
    RequestRecord& record = level.add(10s + i * 900ms, 100ms, 10ms, 50);
    if (i >= 4) record.planned_completion = Tokens(0);
    if (i >= 7) record.planned_prompt = Tokens(0);
  }
  const LevelResult result = level.measured();
  EXPECT_EQ(result.planned_completion_tokens.n, 4u);
  EXPECT_EQ(result.planned_completion_tokens.min, 50);
  EXPECT_EQ(result.planned_prompt_tokens.n, 7u);
  EXPECT_EQ(result.completion_tokens.n, 10u) << "what came is counted";
  EXPECT_EQ(result.lengths_obeyed_share, 1.0) << "of those that had a plan";
}

TEST(Measure, ALateOpenLoopIsNotTheLoadAskedFor) {
  HandMade level;
  level.records.level = {LevelKind::request_rate, 10, Arrivals::constant};
  for (int i = 0; i < 100; ++i) {
    RequestRecord& record = level.add(10s + i * 100ms, 100ms, 1ms, 2);
    if (i >= 90) record.sent = run_start + 21s;
  }
  const LevelResult result = level.measured();
  EXPECT_TRUE(ids(result).contains("load_not_delivered"));
  EXPECT_DOUBLE_EQ(result.offered_requests_per_s, 10);
  EXPECT_DOUBLE_EQ(result.sent_requests_per_s, 9);
}

TEST(Measure, ARateThatWasNotOfferedIsNotTheLoadAskedFor) {
  for (const auto& [target, arrivals, doubted] :
       {std::tuple{10.0, Arrivals::constant, false}, std::tuple{12.0, Arrivals::constant, true},
        std::tuple{12.0, Arrivals::poisson, false}, std::tuple{20.0, Arrivals::poisson, true},
        std::tuple{20.0, Arrivals::trace, false}}) {
    HandMade level;
    level.records.level = {LevelKind::request_rate, target, arrivals};
    for (int i = 0; i < 100; ++i) level.add(10s + i * 100ms, 100ms, 1ms, 2);
    EXPECT_EQ(ids(level.measured()).contains("load_not_delivered"), doubted) << target << name(arrivals);
  }
}

TEST(Measure, UsersWithoutARequestAreNotTheLoadAskedFor) {
  for (const double users : {1.0, 2.0}) {
    HandMade level;
    level.records.level = {LevelKind::concurrency, users, Arrivals::closed};
    for (int i = 0; i < 100; ++i) level.add(10s + i * 100ms, 50ms, 25ms, 3);
    EXPECT_EQ(ids(level.measured()).contains("load_not_delivered"), users == 2) << users;
  }
}

TEST(Measure, TwoRequestsOverTheEdgeAreNoLateLoad) {
  for (const int over : {2, 3}) {
    HandMade level;
    level.records.level = {LevelKind::request_rate, 5, Arrivals::constant};
    for (int i = 0; i < 50; ++i) {
      RequestRecord& record = level.add(10s + i * 200ms, 100ms, 1ms, 2);
      if (i >= 50 - over) record.sent = run_start + 21s;
    }
    EXPECT_EQ(ids(level.measured()).contains("load_not_delivered"), over == 3);
  }
}

TEST(Measure, ClientLatenessIsJudgedInWallTime) {
  HandMade level;
  level.add(11s, 100ms, 10ms, 5);
  level.records.client.read_lateness_p99_ms = 12;
  EXPECT_TRUE(ids(measure(level.records, {}, {}, 1)).contains("client_limited"));
  EXPECT_FALSE(ids(measure(level.records, {}, {}, 4)).contains("client_limited")) << "3 ms of the wall";
  level.records.client.cpu_share = 0.9;
  EXPECT_TRUE(ids(measure(level.records, {}, {}, 4)).contains("client_limited"));
}

TEST(Measure, MessagesOfFailuresAreKeptByOutcome) {
  HandMade level;
  for (int i = 0; i < 5; ++i) level.add(10s + i * 100ms, 100ms, 1ms, 2);
  for (const int i : {1, 2, 3}) {
    level.records.requests[static_cast<std::size_t>(i)].outcome = i == 1 ? Outcome::rejected : Outcome::http_5xx;
    level.records.requests[static_cast<std::size_t>(i)].message = i == 1 ? "full" : "broken";
  }
  const std::vector<FailureMessage> said = failure_messages(level.records);
  ASSERT_EQ(said.size(), 2u);
  EXPECT_EQ(said[0].message, "broken");
  EXPECT_EQ(said[0].count, 2u);
  EXPECT_EQ(said[1].outcome, Outcome::rejected);
}

TEST(Measure, ACapThatBindsIsSaid) {
  HandMade level;
  level.records.level = {LevelKind::request_rate, 10, Arrivals::constant};
  for (int i = 0; i < 100; ++i) level.add(10s + i * 100ms, 100ms, 1ms, 2);
  level.records.level.max_in_flight = 3;
  EXPECT_FALSE(ids(level.measured()).contains("in_flight_capped"));
  level.records.client.held_back = 7;
  EXPECT_TRUE(ids(level.measured()).contains("in_flight_capped"));
}

TEST(Fluidity, CountsTheDeadlinesThatWereMet) {
  // Limits: first token within 200 ms, then one every 50 ms. Deadlines: 200, 250, 300, 350, 400 ms after due.
  struct Case {
    const char* what;
    Nanos first;
    std::vector<int> gaps_ms;
    double met;
  };
  const Case cases[] = {
      {"all in time", 200ms, {50, 50, 50, 50}, 1},
      {"early tokens give slack to a later pause", 100ms, {10, 190, 50, 50}, 1},
      {"one pause is one miss, and deadlines count on from it", 200ms, {50, 51, 50, 50}, 0.8},
      {"a late first token is a miss, and no more", 900ms, {50, 50, 50, 50}, 0.8},
      {"each late by itself", 200ms, {60, 60, 60, 60}, 0.2},
      {"a miss leaves no slack from before it", 0ms, {300, 40, 40, 80}, 0.6},
      {"one token alone", 201ms, {}, 0},
  };
  for (const Case& one : cases) {
    HandMade level;
    RequestRecord& record = level.add(11s, one.first, 1ms, 2);
    std::vector<std::uint32_t> gaps;
    for (const int ms : one.gaps_ms) gaps.push_back(static_cast<std::uint32_t>(ms * 10'000));
    record.gaps = level.records.gaps.append(gaps);
    EXPECT_EQ(fluidity(level.records, record, 200ms, 50ms), one.met) << one.what;
    record.coalesced = true;
    EXPECT_FALSE(fluidity(level.records, record, 200ms, 50ms)) << one.what;
  }
}

TEST(Fluidity, OfALevelIsToldBesideItsLimits) {
  HandMade level;
  for (int i = 0; i < 8; ++i) level.add(10s + i * 100ms, 200ms, 50ms, 5);
  level.add(11s, 200ms, 60ms, 5);  // 1 of 5 in time
  level.add_failed(12s, 5ms, Outcome::http_5xx);
  GoodputLimits limits;
  limits.ttft = 200ms;
  EXPECT_FALSE(level.measured({}, limits).fluidity) << "no limit of TPOT";
  limits.tpot = 50ms;
  const LevelResult result = level.measured({}, limits);
  ASSERT_TRUE(result.fluidity);
  EXPECT_EQ(result.fluidity->n, 10u);
  EXPECT_DOUBLE_EQ(result.fluidity->mean, (8 + 0.2) / 10);
  EXPECT_EQ(result.fluidity->p10, 0) << "the one that failed";
  EXPECT_EQ(result.fluidity->p50, 1);
  EXPECT_DOUBLE_EQ(result.fluidity->fluent_share, 0.8);
  LevelRules rules;
  rules.objectives = {{Latency::ttft, 0.99, 200ms}, {Latency::tpot, 0.99, 50ms}};
  EXPECT_EQ(level.measured(rules).fluidity->mean, result.fluidity->mean) << "the objectives' numbers serve";
  for (RequestRecord& record : level.records.requests) record.completion_tokens = Tokens(9);
  EXPECT_FALSE(level.measured({}, limits).fluidity) << "chunks are not tokens";
}

TEST(Measure, AnObjectiveOfAClassIsJudgedByItsOwnRequests) {
  // Every tenth request has a long prompt and takes 900 ms; the others take 100 ms, but for the last short one.
  HandMade level;
  for (int i = 0; i < 600; ++i) {
    const bool is_long = i % 10 == 0;
    RequestRecord& record = level.add(10s + i * 16ms, is_long ? 900ms : i == 599 ? 500ms : 100ms, 1ms, 2);
    record.planned_prompt = Tokens(is_long ? 9000 : 100);
    record.turn = static_cast<std::uint32_t>(i % 2);
  }
  LevelRules rules;
  const RequestClass shorter{ClassBy::prompt, 1, 2000}, longer{ClassBy::prompt, 2001}, none{ClassBy::prompt, 20000};
  rules.objectives = {{Latency::ttft, 0.99, 200ms, shorter},
                      {Latency::ttft, 0.50, 800ms, longer},
                      {Latency::ttft, 0.50, 1ms},
                      {Latency::ttft, 0.99, 200ms, none}};
  const LevelResult result = level.measured(rules);
  ASSERT_EQ(result.objectives.size(), 4u);
  const ObjectiveResult& of_short = result.objectives[0];
  EXPECT_EQ(of_short.n, 540u);
  EXPECT_EQ(of_short.above, 1u);
  EXPECT_EQ(of_short.value_ms, 100);
  EXPECT_EQ(of_short.of_class->n, 540u);
  EXPECT_EQ(of_short.of_class->p50, 100);
  const ObjectiveResult& of_long = result.objectives[1];
  EXPECT_EQ(of_long.n, 60u);
  EXPECT_EQ(of_long.above, 60u);
  EXPECT_EQ(of_long.verdict, Verdict::over);
  EXPECT_EQ(of_long.value_ms, 900);
  EXPECT_EQ(of_long.low_ms, 900);
  EXPECT_EQ(of_long.high_ms, 900);
  EXPECT_EQ(result.objectives[2].n, 600u);
  EXPECT_EQ(result.objectives[2].value_ms, 100);
  EXPECT_FALSE(result.objectives[2].of_class);
  EXPECT_EQ(result.objectives[3].n, 0u);
  EXPECT_EQ(result.objectives[3].verdict, Verdict::open);
  EXPECT_FALSE(result.objectives[3].value_ms);
  EXPECT_TRUE(ids(result).contains("class_empty"));
  EXPECT_EQ(result.verdict, Verdict::over);
  rules.objectives.pop_back();
  EXPECT_FALSE(ids(level.measured(rules)).contains("class_empty"));
}

TEST(Measure, AnyPercentileOfAnObjectiveCountsFailuresAsInfinite) {
  HandMade level;
  for (int i = 0; i < 100; ++i) {
    if (i % 10 == 9)
      level.add_failed(10s + i * 100ms, 5ms, Outcome::http_5xx);
    else
      level.add(10s + i * 100ms, std::chrono::milliseconds(100 + i), 1ms, 2);
  }
  LevelRules rules;
  rules.objectives = {{Latency::ttft, 0.90, 1s}, {Latency::ttft, 0.91, 1s}};
  const LevelResult result = level.measured(rules);
  EXPECT_EQ(result.objectives[0].value_ms, 198) << "the slowest that was answered";
  EXPECT_TRUE(result.objectives[0].n_eff);
  EXPECT_FALSE(result.objectives[1].value_ms) << "infinite";
  EXPECT_TRUE(result.objectives[1].n_eff) << "though measured";
}

TEST(Measure, AClockThatWasSetInvalidatesTheLevel) {
  HandMade level;
  for (int i = 0; i < 100; ++i) level.add(10s + i * 100ms, 100ms, 1ms, 2);
  EXPECT_FALSE(ids(level.measured()).contains("clock_jumped"));
  level.records.client.clock_stepped = true;
  const LevelResult result = level.measured();
  const auto doubt = std::ranges::find(result.doubts, "clock_jumped", &Doubt::id);
  ASSERT_NE(doubt, result.doubts.end());
  EXPECT_TRUE(doubt->invalidates);
}

TEST(Measure, AServerThatSlowsDownDrifts) {
  HandMade level;
  for (int i = 0; i < 600; ++i) {
    Random random(static_cast<std::uint64_t>(i) + 3);
    level.add(10s + i * 16ms, nanos(Seconds((i < 300 ? 0.1 : 0.2) * (0.8 + 0.4 * random.uniform()))), 1ms, 2);
  }
  EXPECT_TRUE(ids(level.measured()).contains("drift"));
  for (RequestRecord& record : level.records.requests) {
    record.first_token = *record.due + nanos(Seconds(0.1 * (0.8 + 0.4 * Random(record.serial).uniform())));
  }
  EXPECT_FALSE(ids(level.measured()).contains("drift"));
}

TEST(Measure, AnInterruptedLevelIsMeasuredAsFarAsItGot) {
  HandMade level;
  for (int i = 0; i < 18; ++i) level.add(std::chrono::seconds(i), 200ms, 100ms, 9);
  level.records.window_end.reset();
  level.records.ended = run_start + 18s;
  EXPECT_EQ(level.measured().measured_requests, 8u);
  EXPECT_DOUBLE_EQ(level.measured().measured_s, 8);
  level.records.window_start.reset();
  const LevelResult none = level.measured();
  EXPECT_EQ(none.measured_requests, 0u);
  EXPECT_EQ(none.warmup_requests, 18u);
  EXPECT_EQ(none.books.planned, 18u);
  EXPECT_EQ(none.stability, Stability::not_stabilised);
}

TEST(Measure, BrokenBooksAreABug) {
  HandMade level;
  level.add(11s, 100ms, 10ms, 5).first_token.reset();
  EXPECT_THROW(level.measured(), Bug);
}

}  // namespace
}  // namespace loadline
