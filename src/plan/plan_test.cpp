#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/error.h"
#include "plan/make_plan.h"
#include "plan/requests_to_draw.h"

namespace loadline {
namespace {

Workload workload_of(std::size_t count) {
  Workload workload;
  workload.block_size = 4;
  workload.blocks = {7, 8, 9};
  for (std::size_t i = 0; i < count; ++i) {
    Request request;
    request.prompt.length = Tokens(10 + static_cast<std::int64_t>(i));
    request.prompt.block_count = i % 2 == 0 ? 3 : 0;
    request.prompt.own = i;
    request.completion = Tokens(5);
    workload.requests.push_back(request);
  }
  return workload;
}

PlanSettings closed_settings(double users) {
  PlanSettings settings;
  settings.level = {LevelKind::concurrency, users, Arrivals::closed};
  settings.seed = 1;
  return settings;
}

PlanSettings open_settings(double rate, Arrivals arrivals) {
  PlanSettings settings;
  settings.level = {LevelKind::request_rate, rate, arrivals};
  settings.seed = 1;
  return settings;
}

std::vector<std::int64_t> offsets_of(const Plan& plan) {
  std::vector<std::int64_t> offsets;
  for (const PlannedRequest& planned : plan.requests) {
    offsets.push_back(std::get<AtOffset>(planned.due).after_level_start.count());
  }
  return offsets;
}

TEST(MakePlan, ClosedLoopWaitsForUsers) {
  const Workload workload = workload_of(5);
  const Plan plan = make_plan(workload, closed_settings(3));
  ASSERT_EQ(plan.requests.size(), 5U);
  EXPECT_EQ(plan.blocks, workload.blocks);
  EXPECT_EQ(plan.block_size, 4U);
  EXPECT_EQ(plan.seed, 1U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_TRUE(std::holds_alternative<WhenUserFree>(plan.requests[i].due));
    EXPECT_EQ(plan.requests[i].request.prompt.length, workload.requests[i].prompt.length);
  }
}

TEST(MakePlan, ConstantGapsAreConstantAndDoNotDrift) {
  const auto offsets = offsets_of(make_plan(workload_of(100'000), open_settings(3, Arrivals::constant)));
  EXPECT_EQ(offsets[0], 333'333'333);
  EXPECT_EQ(offsets[1], 666'666'667);
  EXPECT_EQ(offsets[2], 1'000'000'000);
  EXPECT_EQ(offsets[99'998], 33'333'000'000'000);
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(offsets[i] - offsets[i - 1]), 1e9 / 3, 1);
  }
  const auto whole = offsets_of(make_plan(workload_of(1000), open_settings(4, Arrivals::constant)));
  for (std::size_t i = 1; i < whole.size(); ++i) EXPECT_EQ(whole[i] - whole[i - 1], 250'000'000);
}

TEST(MakePlan, PoissonGapsAreExponentialAndIndependent) {
  constexpr std::size_t n = 100'000;
  const auto offsets = offsets_of(make_plan(workload_of(n), open_settings(5, Arrivals::poisson)));
  std::vector<double> gaps;
  for (std::size_t i = 0; i < n; ++i) gaps.push_back(static_cast<double>(offsets[i] - (i ? offsets[i - 1] : 0)) / 1e9);
  double sum = 0, squares = 0, lagged = 0;
  for (std::size_t i = 0; i < n; ++i) {
    sum += gaps[i];
    squares += gaps[i] * gaps[i];
    if (i > 0) lagged += (gaps[i] - 0.2) * (gaps[i - 1] - 0.2);
  }
  const double mean = sum / n;
  EXPECT_NEAR(mean, 0.2, 4 * 0.2 / std::sqrt(n));
  EXPECT_NEAR(std::sqrt(squares / n - mean * mean) / mean, 1, 0.02) << "coefficient of variation";
  EXPECT_NEAR(lagged / n / 0.04, 0, 4 / std::sqrt(n));
  // Kolmogorov's distance to the exponential law: 1.95 / sqrt n has probability 0.001.
  std::sort(gaps.begin(), gaps.end());
  double distance = 0;
  for (std::size_t i = 0; i < n; ++i) {
    distance = std::max(distance, std::abs(1 - std::exp(-5 * gaps[i]) - (static_cast<double>(i) + 0.5) / n));
  }
  EXPECT_LT(distance, 1.95 / std::sqrt(n));
}

TEST(MakePlan, TheSameArrivalsAtEveryRate) {
  const auto slow = offsets_of(make_plan(workload_of(500), open_settings(1, Arrivals::poisson)));
  const auto fast = offsets_of(make_plan(workload_of(500), open_settings(4, Arrivals::poisson)));
  ASSERT_EQ(slow.size(), 500u);
  ASSERT_EQ(fast.size(), 500u);
  for (std::size_t i = 0; i < slow.size(); ++i)
    EXPECT_NEAR(static_cast<double>(slow[i]), 4.0 * static_cast<double>(fast[i]), 3);
}

TEST(MakePlan, ArrivalsDoNotDependOnTheRequests) {
  Workload other = workload_of(50);
  for (Request& request : other.requests) request.completion = Tokens(99);
  EXPECT_EQ(offsets_of(make_plan(other, open_settings(2, Arrivals::poisson))),
            offsets_of(make_plan(workload_of(50), open_settings(2, Arrivals::poisson))));
}

TEST(MakePlan, TheFirstFillTheQueue) {
  PlanSettings settings = open_settings(2, Arrivals::poisson);
  const auto empty_start = offsets_of(make_plan(workload_of(20), settings));
  settings.initial_in_flight = 6;
  const auto offsets = offsets_of(make_plan(workload_of(20), settings));
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(offsets[i], 0);
  for (std::size_t i = 6; i < 20; ++i) EXPECT_EQ(offsets[i], empty_start[i - 6]);
  settings.initial_in_flight = 100;
  EXPECT_EQ(offsets_of(make_plan(workload_of(3), settings)), (std::vector<std::int64_t>{0, 0, 0}));
}

TEST(MakePlan, RefusesLoadsThatCannotBe) {
  const Workload workload = workload_of(2);
  for (const double users : {0.0, -1.0, 0.5, 2.5, 1e7, static_cast<double>(NAN), infinite}) {
    EXPECT_THROW(make_plan(workload, closed_settings(users)), Error) << users;
  }
  for (const double rate : {0.0, -1.0, static_cast<double>(NAN), infinite}) {
    EXPECT_THROW(make_plan(workload, open_settings(rate, Arrivals::poisson)), Error) << rate;
  }
  EXPECT_NO_THROW(make_plan(workload, open_settings(0.01, Arrivals::constant)));
  EXPECT_THROW(make_plan(workload, open_settings(1e-12, Arrivals::constant)), Error) << "31,700 years";
  EXPECT_THROW(make_plan(workload, open_settings(1, Arrivals::closed)), Error);
  for (const double burstiness : {0.0, -1.0, 1e-3, 1e7, static_cast<double>(NAN), infinite}) {
    PlanSettings bursty = open_settings(1, Arrivals::gamma);
    bursty.level.burstiness = burstiness;
    EXPECT_THROW(make_plan(workload, bursty), Error) << burstiness;
  }
  for (const double scale : {0.0, -1.0, static_cast<double>(NAN), infinite}) {
    Workload logged = workload_of(1);
    logged.requests[0].arrival = Nanos{};
    PlanSettings scaled = open_settings(1, Arrivals::trace);
    EXPECT_NO_THROW(make_plan(logged, scaled));
    scaled.level.arrival_scale = scale;
    EXPECT_THROW(make_plan(logged, scaled), Error) << scale;
  }
  EXPECT_THROW(make_plan(workload, open_settings(1, Arrivals::trace)), Error) << "no arrivals in the workload";
  PlanSettings users_by_rate = closed_settings(2);
  users_by_rate.level.arrivals = Arrivals::poisson;
  EXPECT_THROW(make_plan(workload, users_by_rate), Error);
}

TEST(PlanDigest, PinnedSoThatAChangeIsNoticed) {
  EXPECT_EQ(plan_digest(make_plan(workload_of(3), closed_settings(2))), 16364599729146504997ULL);
  EXPECT_EQ(plan_digest(make_plan(workload_of(3), open_settings(3, Arrivals::constant))), 60391273213226110ULL);
  EXPECT_EQ(plan_digest(make_plan(workload_of(3), open_settings(3, Arrivals::poisson))), 7775514936980141515ULL);
}

TEST(PlanDigest, EqualAcrossCallsAndDifferentBySeedAndOrdinal) {
  const Workload workload = workload_of(30);
  const PlanSettings settings = open_settings(3, Arrivals::poisson);
  const std::uint64_t digest = plan_digest(make_plan(workload, settings));
  EXPECT_EQ(digest, plan_digest(make_plan(workload, settings)));
  PlanSettings other = settings;
  other.seed = 2;
  EXPECT_NE(digest, plan_digest(make_plan(workload, other)));
  EXPECT_NE(offsets_of(make_plan(workload, settings)), offsets_of(make_plan(workload, other)));
  other = settings;
  other.ordinal = 1;
  EXPECT_NE(digest, plan_digest(make_plan(workload, other)));
  EXPECT_NE(offsets_of(make_plan(workload, settings)), offsets_of(make_plan(workload, other)));
}

TEST(PlanDigest, EveryFieldCounts) {
  const Plan plan = make_plan(workload_of(3), open_settings(3, Arrivals::constant));
  const std::vector<void (*)(Plan&)> changes = {
      [](Plan& p) { p.level.kind = LevelKind::concurrency; },
      [](Plan& p) { p.level.target = 3.5; },
      [](Plan& p) { p.level.arrivals = Arrivals::poisson; },
      [](Plan& p) { p.level.burstiness = 2; },
      [](Plan& p) { p.level.arrival_scale = 2; },
      [](Plan& p) { p.ordinal = 9; },
      [](Plan& p) { p.seed = 9; },
      [](Plan& p) { p.block_size = 5; },
      [](Plan& p) { p.blocks[1] = 0; },
      [](Plan& p) { p.blocks.pop_back(); },
      [](Plan& p) { p.requests.pop_back(); },
      [](Plan& p) { std::swap(p.requests[0], p.requests[1]); },
      [](Plan& p) { p.requests[1].request.prompt.length = Tokens(1); },
      [](Plan& p) { p.requests[1].request.prompt.first_block = 1; },
      [](Plan& p) { p.requests[1].request.prompt.block_count = 1; },
      [](Plan& p) { p.requests[1].request.prompt.sharing_namespace = 1; },
      [](Plan& p) { p.requests[1].request.prompt.own = 77; },
      [](Plan& p) { p.requests[1].request.completion = Tokens(1); },
      [](Plan& p) { p.requests[1].request.session = 1; },
      [](Plan& p) { p.requests[1].request.turn = 1; },
      [](Plan& p) { p.requests[1].request.arrival = Nanos(0); },
      [](Plan& p) { p.requests[1].request.arrival = Nanos(1); },
      [](Plan& p) { p.requests[1].request.think = Nanos(0); },
      [](Plan& p) { p.requests[1].request.think = Nanos(1); },
      [](Plan& p) { p.requests[1].request.row = 0; },
      [](Plan& p) { p.requests[1].due = WhenUserFree{}; },
      [](Plan& p) { p.requests[1].due = AfterTurn{}; },
      [](Plan& p) { p.requests[1].due = AfterTurn{1, Nanos(0)}; },
      [](Plan& p) { p.requests[1].due = AfterTurn{0, Nanos(1)}; },
      [](Plan& p) { p.requests[1].due = AtOffset{Nanos(1)}; },
  };
  std::vector<std::uint64_t> digests = {plan_digest(plan)};
  for (const auto change : changes) {
    Plan changed = plan;
    change(changed);
    digests.push_back(plan_digest(changed));
  }
  std::sort(digests.begin(), digests.end());
  EXPECT_EQ(std::adjacent_find(digests.begin(), digests.end()), digests.end());
}

struct DrawCase {
  const char* what;
  Level level;
  LevelRules rules;
  std::optional<double> expected_rate;
  std::size_t initial_in_flight, expected;
};

LevelRules rules_with(std::optional<std::uint32_t> warmup, std::optional<std::uint32_t> prompts, int duration_s = 0) {
  LevelRules rules;
  rules.warmup_requests = warmup;
  rules.num_prompts = prompts;
  if (duration_s > 0) rules.duration = std::chrono::seconds(duration_s);
  return rules;
}

TEST(RequestsToDraw, ByTheStatedRule) {
  const Level users_64{LevelKind::concurrency, 64, Arrivals::closed};
  const Level rate_4{LevelKind::request_rate, 4, Arrivals::poisson};
  const Level bursty_4{LevelKind::request_rate, 4, Arrivals::gamma, 0.25};
  const Level steady_4{LevelKind::request_rate, 4, Arrivals::gamma, 9};
  const Level logged_4{LevelKind::request_rate, 4, Arrivals::trace};
  LevelRules slow = rules_with({}, {});
  slow.expected_e2e = std::chrono::seconds(40);
  const DrawCase cases[] = {
      {"closed: 45,000 + 5,000 + 50 * 64", users_64, rules_with({}, {}), {}, 0, 53'200},
      {"exactly as many as asked", users_64, rules_with(0, 77), {}, 0, 77},
      {"also beyond the cap", users_64, rules_with(0, 300'000), {}, 0, 300'000},
      {"10 + 100 + 3,200", users_64, rules_with(10, 100), {}, 0, 3'310},
      {"a duration of a target unknown", users_64, rules_with({}, {}, 60), {}, 0, 200'000},
      {"a rate of 0 tells nothing", users_64, rules_with({}, {}, 60), 0.0, 0, 200'000},
      {"45,000 + 2 * 500 * 60 + 3,200", users_64, rules_with({}, {}, 60), 500.0, 0, 108'200},
      {"open: 4 * 60, 4 * 600, 4 * 120, each with 4 deviations", rate_4, rules_with({}, {}), {}, 0, 3'466},
      {"the same with twice the deviations", bursty_4, rules_with({}, {}), {}, 0, 3'812},
      {"never fewer than Poisson", steady_4, rules_with({}, {}), {}, 0, 3'466},
      {"three times 240, 2,400 and 480, each with 4 deviations; 5,000 measured",
       logged_4,
       rules_with({}, {}),
       {},
       0,
       7'310},
      {"8 more in flight", rate_4, rules_with({}, {}), {}, 8, 3'474},
      {"4 * 120, 4 * 600, 4 * 400", rate_4, slow, {}, 0, 4'924},
      {"max_requests caps the measured",
       {LevelKind::request_rate, 100, Arrivals::poisson},
       rules_with({}, {}),
       {},
       0,
       23'749},
      {"the cap", {LevelKind::request_rate, 5000, Arrivals::poisson}, rules_with({}, {}), {}, 0, 200'000},
  };
  for (const DrawCase& c : cases) {
    EXPECT_EQ(requests_to_draw(c.level, c.rules, c.expected_rate, c.initial_in_flight), c.expected) << c.what;
  }
}

TEST(RequestDigests, TellTheSameOrderedRequestsWhateverTheLengthOfThePlan) {
  const auto shorter = request_digests(make_plan(workload_of(9), closed_settings(3)));
  const auto longer = request_digests(make_plan(workload_of(20), closed_settings(7)));
  ASSERT_EQ(shorter.size(), 4U);  // 1, 2, 4, 8
  ASSERT_EQ(longer.size(), 5U);
  for (const auto& [count, digest] : shorter) EXPECT_EQ(longer.at(count), digest) << count;
  // When they are due is not what is asked.
  EXPECT_EQ(request_digests(make_plan(workload_of(9), open_settings(2, Arrivals::constant))), shorter);
}

TEST(RequestDigests, ChangeWithEverythingThatIsAskedAndFromWhereItChanges) {
  const auto before = request_digests(make_plan(workload_of(9), closed_settings(3)));
  const auto changed = [&](auto change) {
    Workload workload = workload_of(9);
    change(workload);
    return request_digests(make_plan(workload, closed_settings(3)));
  };
  const auto longer_answer = changed([](Workload& w) { w.requests[4].completion = Tokens(6); });
  EXPECT_EQ(longer_answer.at(4), before.at(4));
  EXPECT_NE(longer_answer.at(8), before.at(8));
  EXPECT_NE(changed([](Workload& w) { w.requests[0].prompt.length = Tokens(11); }).at(1), before.at(1));
  EXPECT_NE(changed([](Workload& w) { w.requests[0].prompt.own = 77; }).at(1), before.at(1));
  EXPECT_NE(changed([](Workload& w) { w.blocks[1] = 77; }).at(1), before.at(1));
  EXPECT_NE(changed([](Workload& w) { std::swap(w.requests[2], w.requests[3]); }).at(4), before.at(4));
}

}  // namespace
}  // namespace loadline
