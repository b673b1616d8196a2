#include "fleet/split_plan.h"

#include <gtest/gtest.h>

#include <numeric>

namespace loadline {
namespace {

Plan closed_plan(double users, std::size_t requests) {
  Plan plan;
  plan.level = {LevelKind::concurrency, users, Arrivals::closed};
  for (std::size_t i = 0; i < requests; ++i) {
    plan.requests.push_back({{}, WhenUserFree{}});
    plan.requests.back().request.prompt.own = i;
  }
  return plan;
}

std::vector<std::uint64_t> owns(const Plan& plan) {
  std::vector<std::uint64_t> result;
  for (const PlannedRequest& planned : plan.requests) result.push_back(planned.request.prompt.own);
  return result;
}

using Owns = std::vector<std::uint64_t>;

TEST(SplitPlan, NoShareIsWithoutAUser) {
  EXPECT_EQ(shares_of({LevelKind::concurrency, 1}, 4), 1u);
  EXPECT_EQ(shares_of({LevelKind::concurrency, 3}, 4), 3u);
  EXPECT_EQ(shares_of({LevelKind::concurrency, 64}, 4), 4u);
  EXPECT_EQ(shares_of({LevelKind::request_rate, 0.5}, 4), 4u);
}

TEST(SplitPlan, UsersAndTheirRequestsGoInTurn) {
  const std::vector<PlanShare> shares = split_plan(closed_plan(3, 8), 2);
  EXPECT_EQ(shares[0].plan.level.target, 2);  // users 0 and 2
  EXPECT_EQ(shares[1].plan.level.target, 1);
  EXPECT_EQ(owns(shares[0].plan), (Owns{0, 2, 3, 5, 6}));
  EXPECT_EQ(owns(shares[1].plan), (Owns{1, 4, 7}));
  EXPECT_EQ(shares[1].plan_index, (std::vector<std::uint32_t>{1, 4, 7}));
}

TEST(SplitPlan, WorkIsDealtEvenly) {
  Plan plan = closed_plan(4, 400);
  for (std::size_t i = 0; i < 400; ++i) plan.requests[i].request.completion = Tokens(i % 4 == 0 ? 900 : 20);
  for (const PlanShare& share : split_plan(plan, 4)) {
    std::int64_t tokens = 0;
    for (const PlannedRequest& planned : share.plan.requests) tokens += planned.request.completion.value();
    EXPECT_NEAR(static_cast<double>(tokens), 96000.0 / 4, 900) << "within one request";
  }
}

TEST(SplitPlan, AnExactNumberStaysExact) {
  for (const std::size_t size : {72, 100}) {
    for (const std::size_t shares : {1, 2, 3, 5}) {
      Plan plan = closed_plan(7, size);
      for (std::size_t i = 0; i < size; ++i) plan.requests[i].request.completion = Tokens(i % 9 == 0 ? 900 : 5);
      plan.level.most_releases = 72;
      std::uint32_t sum = 0;
      for (const PlanShare& share : split_plan(plan, shares)) {
        EXPECT_LE(share.plan.level.most_releases, share.plan.requests.size());
        sum += share.plan.level.most_releases;
      }
      EXPECT_EQ(sum, 72u) << shares << " shares of " << size;
    }
  }
}

TEST(SplitPlan, ARateIsDividedAndKeepsItsTimes) {
  Plan plan = closed_plan(1, 4);
  plan.level = {LevelKind::request_rate, 10, Arrivals::constant};
  plan.level.max_in_flight = 5;
  for (std::size_t i = 0; i < 4; ++i) plan.requests[i].due = AtOffset{std::chrono::milliseconds(100 * i)};
  const std::vector<PlanShare> shares = split_plan(plan, 2);
  EXPECT_EQ(shares[0].plan.level.target, 5);
  EXPECT_EQ(shares[0].plan.level.max_in_flight, 3u);
  EXPECT_EQ(owns(shares[1].plan), (Owns{1, 3}));
  EXPECT_EQ(std::get<AtOffset>(shares[1].plan.requests[1].due).after_level_start, std::chrono::milliseconds(300));
}

TEST(SplitPlan, TurnsStayWithTheirConversation) {
  Plan plan = closed_plan(2, 6);
  plan.requests[2].due = AfterTurn{0, std::chrono::seconds(1)};
  plan.requests[4].due = AfterTurn{2, std::chrono::seconds(2)};
  const std::vector<PlanShare> shares = split_plan(plan, 2);
  EXPECT_EQ(owns(shares[0].plan), (Owns{0, 2, 4}));
  EXPECT_EQ(owns(shares[1].plan), (Owns{1, 3, 5}));
  EXPECT_EQ(std::get<AfterTurn>(shares[0].plan.requests[1].due).before, 0u);
  EXPECT_EQ(std::get<AfterTurn>(shares[0].plan.requests[2].due).before, 1u);
}

TEST(SplitPlan, ASelfContainedShareHasTheBlocksThatItNames) {
  Plan plan = closed_plan(2, 2);
  plan.blocks = {7, 8, 9};
  plan.requests[0].request.prompt.block_count = 1;
  plan.requests[1].request.prompt.first_block = 1;
  plan.requests[1].request.prompt.block_count = 2;
  const Plan alone = self_contained(split_plan(plan, 2)[1], plan);
  EXPECT_EQ(alone.blocks, (std::vector<std::uint64_t>{8, 9}));
  EXPECT_EQ(alone.requests[0].request.prompt.first_block, 0u);
}

}  // namespace
}  // namespace loadline
