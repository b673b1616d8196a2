#include "engine/virtual_driver.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.h"

namespace loadline {
namespace {

/// A course of fixed counts: `warmup` releases, then `measured` in R, then load until all of R has ended.
class CountedCourse : public LevelCourse {
 public:
  CountedCourse(std::uint32_t warmup, std::uint32_t measured) : warmup_(warmup), measured_(measured) {}
  void start(const LevelRecords& records, RunTime now) override {
    records_ = &records;
    hear(now);
  }
  void released(std::uint32_t serial, RunTime now) override {
    EXPECT_EQ(serial, released_++);
    EXPECT_TRUE(records_->requests.at(serial).due.has_value());
    hear(now);
    if (serial == warmup_) window_start_ = now;
    if (serial == warmup_ + measured_) window_end_ = now;
  }
  void first_token(std::uint32_t serial, RunTime now) override {
    EXPECT_EQ(records_->requests.at(serial).first_token, now);
    hear(now);
  }
  void ended(std::uint32_t serial, RunTime now) override {
    EXPECT_EQ(records_->requests.at(serial).closed, now);
    hear(now);
    if (serial >= warmup_ && serial < warmup_ + measured_) ++measured_ended_;
  }
  Phase phase(RunTime now) override {
    hear(now);
    if (finish_at && now >= *finish_at) return Phase::finished;
    if (measured_ended_ == measured_) return Phase::finished;
    if (released_ < warmup_) return Phase::warming_up;
    return released_ < warmup_ + measured_ ? Phase::measuring : Phase::cooling_down;
  }
  std::optional<RunTime> wake_at() const override { return finish_at; }
  std::optional<RunTime> window_start() const override { return window_start_; }
  std::optional<RunTime> window_end() const override { return window_end_; }

  std::optional<RunTime> finish_at;

 private:
  void hear(RunTime now) {
    EXPECT_GE(now, heard_) << "told out of order";
    heard_ = now;
  }
  const LevelRecords* records_ = nullptr;
  RunTime heard_{};
  std::uint32_t warmup_, measured_, released_ = 0, measured_ended_ = 0;
  std::optional<RunTime> window_start_, window_end_;
};

std::int64_t lognormal_tokens(Random& random, double mean, double sigma, std::int64_t least, std::int64_t most) {
  const double drawn = std::exp(std::log(mean) - sigma * sigma / 2 + sigma * random.normal());
  return std::clamp(static_cast<std::int64_t>(std::llround(drawn)), least, most);
}

/// The default workload of docs/method.md section 7.
Plan default_plan(LevelKind kind, double target, std::uint32_t count, std::uint64_t seed) {
  Plan plan;
  plan.level = {kind, target, kind == LevelKind::concurrency ? Arrivals::closed : Arrivals::poisson};
  Random random(seed);
  double due_s = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::int64_t prompt = lognormal_tokens(random, 725, 1.22, 1, 25'600);
    if (random.uniform() < 0.008) prompt = std::max<std::int64_t>(prompt, 6000);
    PlannedRequest planned{{}, WhenUserFree{}};
    planned.request.prompt.length = Tokens(prompt);
    planned.request.completion = Tokens(lognormal_tokens(random, 740, 0.83, 2, 4800));
    if (kind == LevelKind::request_rate) {
      due_s += random.exponential(1 / target);
      planned.due = AtOffset{nanos(Seconds(due_s))};
    }
    plan.requests.push_back(planned);
  }
  return plan;
}

PlannedRequest planned_request(std::int64_t prompt, std::int64_t completion,
                               std::variant<WhenUserFree, AtOffset, AfterTurn> due = WhenUserFree{}) {
  PlannedRequest planned{{}, due};
  planned.request.prompt.length = Tokens(prompt);
  planned.request.completion = Tokens(completion);
  return planned;
}

double output_tokens_per_s(const LevelRecords& records) {
  const RunTime from = *records.window_start, to = *records.window_end;
  std::uint64_t tokens = 0;
  for (const RequestRecord& r : records.requests) {
    if (r.outcome != Outcome::ok) continue;
    RunTime at = *r.first_token;
    tokens += at >= from && at < to ? 1 : 0;
    for (const std::uint32_t gap : records.gaps.at(r.gaps)) {
      at += Nanos(gap * nanos_per_gap_unit);
      tokens += at >= from && at < to ? 1 : 0;
    }
  }
  return static_cast<double>(tokens) / seconds(to - from);
}

double ttft_p99_ms(const LevelRecords& records) {
  std::vector<double> ttfts;
  for (const RequestRecord& r : records.requests) {
    if (*r.due >= *records.window_start && *r.due < *records.window_end) ttfts.push_back(milliseconds(*ttft(r)));
  }
  const auto rank = static_cast<std::size_t>(std::ceil(0.99 * static_cast<double>(ttfts.size())));
  std::nth_element(ttfts.begin(), ttfts.begin() + static_cast<std::ptrdiff_t>(rank - 1), ttfts.end());
  return ttfts[rank - 1];
}

TEST(VirtualDriver, one_request_as_the_method_says) {
  Plan plan;
  plan.requests = {planned_request(100, 3)};
  LevelRecords records;
  records.started = run_time(5'000);
  CountedCourse course(0, 1);
  simulate_level(plan, course, EngineParameters{}, records);
  ASSERT_EQ(records.requests.size(), 1u);
  const RequestRecord& r = records.requests[0];
  EXPECT_EQ(r.due, run_time(5'000));
  EXPECT_EQ(r.sent, r.due);
  EXPECT_EQ(*ttft(r), Nanos(6'247'500));
  EXPECT_EQ(*e2e(r), Nanos(13'669'878));
  EXPECT_EQ(r.first_byte, r.first_token);
  EXPECT_EQ(r.first_answer, r.first_token);
  EXPECT_EQ(r.closed, r.last_token);
  EXPECT_EQ(r.events, 3u);
  EXPECT_EQ(r.prompt_tokens, Tokens(100));
  EXPECT_EQ(r.completion_tokens, Tokens(3));
  EXPECT_EQ(r.cached_tokens, Tokens(0));
  EXPECT_EQ(r.token_source, TokenSource::server);
  EXPECT_EQ(r.http_status, 200);
  EXPECT_EQ(r.outcome, Outcome::ok);
  const auto gaps = records.gaps.at(r.gaps);
  EXPECT_EQ(std::vector<std::uint32_t>(gaps.begin(), gaps.end()), (std::vector<std::uint32_t>{37'112, 37'112}));
  EXPECT_EQ(records.state, "complete");
  EXPECT_EQ(records.ended, *r.closed);
}

TEST(VirtualDriver, a_user_sends_the_next_when_the_last_ended) {
  Plan plan;
  plan.level.target = 2;
  plan.requests = {planned_request(10, 2), planned_request(10, 20), planned_request(10, 2), planned_request(10, 2)};
  LevelRecords records;
  CountedCourse course(0, 4);
  simulate_level(plan, course, EngineParameters{}, records);
  ASSERT_EQ(records.requests.size(), 4u);
  EXPECT_EQ(records.requests[0].due, run_start);
  EXPECT_EQ(records.requests[1].due, run_start);
  EXPECT_EQ(records.requests[2].due, records.requests[0].closed);
  EXPECT_EQ(records.requests[3].due, records.requests[2].closed);
}

TEST(VirtualDriver, an_open_loop_sends_when_due_and_jumps_over_idle_times) {
  Plan plan;
  plan.level = {LevelKind::request_rate, 1, Arrivals::constant};
  const auto at = [](std::int64_t ns) { return AtOffset{Nanos(ns)}; };
  plan.requests = {planned_request(100, 3, at(1'000)), planned_request(100, 3, at(2'000'000)),
                   planned_request(100, 3, at(9'000'000'000))};
  LevelRecords records;
  CountedCourse course(0, 3);
  simulate_level(plan, course, EngineParameters{}, records);
  ASSERT_EQ(records.requests.size(), 3u);
  EXPECT_EQ(*ttft(records.requests[0]), Nanos(6'247'500));
  EXPECT_EQ(records.requests[1].due, run_time(2'000'000));
  // It joins the step that begins when the first one's prefill has ended.
  EXPECT_GT(*records.requests[1].first_token, *records.requests[0].first_token + Nanos(6'000'000));
  EXPECT_EQ(records.requests[2].due, run_time(9'000'000'000));
  EXPECT_EQ(*ttft(records.requests[2]), Nanos(6'247'500));
}

TEST(VirtualDriver, what_is_in_flight_at_the_end_is_censored_and_the_rest_never_was) {
  Plan plan;
  plan.requests = {planned_request(100, 2000), planned_request(100, 3)};
  LevelRecords records;
  CountedCourse course(0, 2);
  course.finish_at = run_time(100'000'000);
  simulate_level(plan, course, EngineParameters{}, records);
  ASSERT_EQ(records.requests.size(), 1u);
  const RequestRecord& r = records.requests[0];
  EXPECT_EQ(r.outcome, Outcome::censored);
  EXPECT_EQ(r.closed, course.finish_at);
  EXPECT_EQ(records.ended, *course.finish_at);
  EXPECT_EQ(r.completion_tokens, std::nullopt);
  EXPECT_EQ(r.events, 26u);  // (100 - 6.2475) / 3.71 ms steps behind the first
  EXPECT_EQ(r.gaps.count, 25u);
  EXPECT_LT(*r.last_token, *r.closed);
}

TEST(VirtualDriver, what_can_never_be_served_is_answered_at_once) {
  Plan plan;
  plan.requests = {planned_request(40'000, 10), planned_request(100, 3)};
  LevelRecords records;
  CountedCourse course(0, 2);
  simulate_level(plan, course, EngineParameters{}, records);
  ASSERT_EQ(records.requests.size(), 2u);
  EXPECT_EQ(records.requests[0].outcome, Outcome::http_4xx);
  EXPECT_EQ(records.requests[0].http_status, 400);
  EXPECT_EQ(records.requests[1].outcome, Outcome::ok);
}

TEST(VirtualDriver, shared_beginnings_are_found_in_the_cache) {
  Plan plan;
  plan.block_size = 24;  // three halves of an engine block
  plan.blocks = {1, 2, 3, 1, 2, 4, 1, 2};
  for (std::uint32_t i = 0; i < 4; ++i) plan.requests.push_back(planned_request(80, 2));
  const auto share = [&](std::size_t i, std::uint64_t first, std::uint32_t count, std::uint64_t space) {
    Prompt& prompt = plan.requests[i].request.prompt;
    prompt.first_block = first;
    prompt.block_count = count;
    prompt.sharing_namespace = space;
    prompt.own = i;
  };
  share(0, 0, 3, 1);
  share(1, 3, 3, 1);  // 48 tokens alike
  share(2, 6, 2, 1);  // the same 48, then its own
  share(3, 0, 3, 2);  // another namespace
  LevelRecords records;
  CountedCourse course(0, 4);
  simulate_level(plan, course, EngineParameters{}, records);
  const auto cached = [&](std::size_t i) { return records.requests[i].cached_tokens->value(); };
  EXPECT_EQ(cached(0), 0);
  EXPECT_EQ(cached(1), 48);
  EXPECT_EQ(cached(2), 48);
  EXPECT_EQ(cached(3), 0);
}

TEST(VirtualDriver, one_plan_gives_one_course) {
  const Plan plan = default_plan(LevelKind::concurrency, 20, 400, 3);
  LevelRecords one, two;
  CountedCourse first(40, 300), second(40, 300);
  simulate_level(plan, first, EngineParameters{}, one);
  simulate_level(plan, second, EngineParameters{}, two);
  ASSERT_EQ(one.requests.size(), two.requests.size());
  EXPECT_EQ(one.ended, two.ended);
  for (std::size_t i = 0; i < one.requests.size(); ++i) EXPECT_EQ(one.requests[i].closed, two.requests[i].closed);
}

/// Long runs of engine A, docs/method.md section 7.
struct EngineTruth {
  std::uint32_t users;
  double tokens_per_s, ttft_p99_ms, p99_tolerance;
};
class EngineA : public testing::TestWithParam<EngineTruth> {};

TEST_P(EngineA, carries_what_long_runs_say) {
  const EngineTruth truth = GetParam();
  const Plan plan = default_plan(LevelKind::concurrency, truth.users, 21'000, 11);
  LevelRecords records;
  CountedCourse course(2 * truth.users, 20'000);
  simulate_level(plan, course, EngineParameters{}, records);
  EXPECT_NEAR(output_tokens_per_s(records) / truth.tokens_per_s, 1, 0.03);
  EXPECT_NEAR(ttft_p99_ms(records) / truth.ttft_p99_ms, 1, truth.p99_tolerance);
  RecordProperty("output_tokens_per_s", std::to_string(output_tokens_per_s(records)));
  RecordProperty("ttft_p99_ms", std::to_string(ttft_p99_ms(records)));
}

INSTANTIATE_TEST_SUITE_P(Users, EngineA,
                         testing::Values(EngineTruth{8, 1924, 370, 0.15}, EngineTruth{32, 5690, 642, 0.15},
                                         EngineTruth{64, 7850, 1406, 0.15}, EngineTruth{96, 8380, 3080, 0.30}),
                         [](const auto& truth) { return std::to_string(truth.param.users) + "_users"; });

TEST(EngineAOpen, holds_its_rate_below_capacity) {
  const Plan plan = default_plan(LevelKind::request_rate, 6, 6'000, 5);
  LevelRecords records;
  CountedCourse course(500, 5'000);
  simulate_level(plan, course, EngineParameters{}, records);
  std::int64_t offered = 0;
  for (std::size_t i = 500; i < 5'500; ++i) offered += records.requests[i].planned_completion.value();
  const double offered_per_s = static_cast<double>(offered) / seconds(*records.window_end - *records.window_start);
  EXPECT_NEAR(output_tokens_per_s(records) / offered_per_s, 1, 0.02);
  for (std::size_t i = 1; i < records.requests.size(); ++i)
    EXPECT_LE(*records.requests[i - 1].due, *records.requests[i].due);
}

}  // namespace
}  // namespace loadline
