// A fit against engines whose parameters are known: what the levels tell must come out, what they do not tell must say
// so.

#include "fit/engine_fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "engine/virtual_driver.h"
#include "fit/minimise.h"
#include "measure/standard_course.h"

namespace loadline {
namespace {

Tokens fit_length(Random& random, double mean, double sigma, std::int64_t least, std::int64_t most) {
  const double value = std::exp(std::log(mean) - sigma * sigma / 2 + sigma * random.normal());
  return Tokens(std::clamp<std::int64_t>(std::llround(value), least, most));
}

LevelRecords measured_on(const EngineParameters& engine, double users, std::uint32_t requests) {
  Plan plan;
  plan.level = {LevelKind::concurrency, users, Arrivals::closed};
  Random random(mix(7, static_cast<std::uint64_t>(users)));
  plan.requests.resize(requests + static_cast<std::size_t>(40 * users));
  for (std::size_t i = 0; i < plan.requests.size(); ++i) {
    Request& request = plan.requests[i].request;
    request.prompt.length = fit_length(random, 600, 1.0, 1, 8000);
    request.prompt.own = i;
    request.completion = fit_length(random, 300, 0.7, 2, 2000);
  }
  LevelRules rules;
  rules.num_prompts = requests;
  StandardCourse course(plan.level, rules);
  LevelRecords records;
  simulate_level(plan, course, engine, records);
  return records;
}

EngineFit fitted_to(const EngineParameters& engine, const std::vector<double>& users) {
  std::vector<ReplayedLevel> levels;
  for (const double count : users) levels.push_back(replayed_level(measured_on(engine, count, 200), 200).value());
  return fit_engine(std::move(levels), {}, [](const std::string&) {});
}

const ParameterEstimate& estimate_of(const EngineFit& fit, const std::string& key) {
  return *std::ranges::find(fit.estimates, key, &ParameterEstimate::key);
}

TEST(EngineFit, FindsTheEngineThatWasMeasured) {
  EngineParameters engine;
  engine.token_compute *= 1.4;
  engine.weight_read = Seconds(3e-3);
  engine.token_budget = 512;
  engine.max_sequences = 72;
  const EngineFit fit = fitted_to(engine, {1, 8, 32, 64, 80, 96});
  EXPECT_LT(fit.error, 0.03);
  EXPECT_EQ(fit.levels.size(), 6u);
  for (const auto& [key, truth] : {std::pair{"token_compute_s", 6.16e-5}, std::pair{"token_budget", 512.0}}) {
    const ParameterEstimate& estimate = estimate_of(fit, key);
    EXPECT_TRUE(estimate.is_told) << key;
    EXPECT_LE(estimate.low, truth) << key;
    EXPECT_GE(estimate.high, truth) << key;
  }
  EXPECT_TRUE(estimate_of(fit, "max_sequences").is_told);
  EXPECT_NEAR(estimate_of(fit, "max_sequences").value, 72, 2);
  // A step of one user lasts t_fix + w and little else: their sum is told, their shares are not.
  EXPECT_NEAR((fit.parameters.fixed_step + fit.parameters.weight_read).count(), 4.7e-3, 0.2e-3);
  EXPECT_FALSE(estimate_of(fit, "kv_tokens").is_told) << "the memory was never full";
}

TEST(EngineFit, ALimitThatWasNeverMetIsNotTold) {
  const EngineFit fit = fitted_to({}, {1, 8, 32});
  EXPECT_LT(fit.error, 0.03);
  EXPECT_FALSE(estimate_of(fit, "max_sequences").is_told);
  EXPECT_GT(estimate_of(fit, "max_sequences").value, 32);
  EXPECT_FALSE(estimate_of(fit, "kv_tokens").is_told);
}

TEST(ReplayedLevel, TheEngineThatWasMeasuredGivesTheSameShape) {
  const ReplayedLevel level = replayed_level(measured_on({}, 16, 200), 200).value();
  EXPECT_EQ(level.count, 200u);
  EXPECT_EQ(simulated_shape(level, {}), level.measured);
  const ReplayedLevel cut = replayed_level(measured_on({}, 16, 200), 80).value();
  EXPECT_EQ(cut.count, 80u);
  EXPECT_EQ(simulated_shape(cut, {}), cut.measured);
}

TEST(ReplayedLevel, WithoutTimesOfTokensThereIsNone) {
  LevelRecords records = measured_on({}, 4, 60);
  for (RequestRecord& record : records.requests) {  // as answers in one piece are
    record.first_token.reset();
    record.first_answer.reset();
    record.gaps = {};
    record.events = record.outcome == Outcome::ok ? 1 : 0;
  }
  EXPECT_FALSE(replayed_level(std::move(records), 60));
  LevelRecords interrupted = measured_on({}, 4, 60);
  interrupted.state = "interrupted";
  EXPECT_FALSE(replayed_level(std::move(interrupted), 60));
}

TEST(Minimise, FindsABowlInsideItsBox) {
  const auto bowl = [](const std::vector<double>& x) { return (x[0] - 1) * (x[0] - 1) + 3 * (x[1] + 2) * (x[1] + 2); };
  const Minimum inside = minimise(bowl, {0, 0}, {{-5, -5}, {5, 5}}, {0.5, 0.5}, 1e-12, 500);
  EXPECT_NEAR(inside.at[0], 1, 1e-3);
  EXPECT_NEAR(inside.at[1], -2, 1e-3);
  const Minimum at_the_wall = minimise(bowl, {3, 0}, {{2, -5}, {5, 5}}, {0.5, 0.5}, 1e-12, 500);
  EXPECT_NEAR(at_the_wall.at[0], 2, 1e-6);
}

TEST(Minimise, WhatTheFunctionThrowsComesOut) {
  const auto broken = [](const std::vector<double>&) -> double { throw std::runtime_error("broken"); };
  EXPECT_THROW(minimise(broken, {0, 0}, {{-1, -1}, {1, 1}}, {0.1, 0.1}, 1e-6, 50), std::runtime_error);
}

}  // namespace
}  // namespace loadline
