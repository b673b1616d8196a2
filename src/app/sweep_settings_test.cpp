#include <gtest/gtest.h>

#include <string>

#include "app/settings.h"
#include "core/error.h"

namespace loadline {
namespace {

RunSpec searching() {
  RunSpec spec;
  spec.slo = {"p99 ttft<=1000ms"};
  return spec;
}

/// What settle() says of `spec`; empty where it takes it.
std::string refusal_of(const RunSpec& spec) {
  try {
    settle(spec);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(SweepSettings, Defaults) {
  const RunSettings settings = settle(searching());
  EXPECT_TRUE(settings.goal.refine);
  EXPECT_FALSE(settings.goal.search || settings.goal.open || settings.goal.up_and_down);
  EXPECT_EQ(settings.goal.precision, 0.05);
  EXPECT_EQ(settings.goal.closed_budget_s, 7200);
  EXPECT_EQ(settings.goal.open_budget_s, 7200);
  EXPECT_EQ(settings.repeats, 1u);
  EXPECT_EQ(settings.rules.max_duration, std::chrono::seconds(600));
}

TEST(SweepSettings, TheBudgetIsOfTheWholeRun) {
  RunSpec spec = searching();
  spec.budget = "40m";
  EXPECT_EQ(settle(spec).goal.closed_budget_s, 2400);
  EXPECT_EQ(settle(spec).rules.max_duration, std::chrono::seconds(100)) << "no level eats it up";
  spec.open = true;
  EXPECT_EQ(settle(spec).goal.closed_budget_s, 1200);
  EXPECT_EQ(settle(spec).goal.open_budget_s, 1200);
  spec.repeats = 2;
  EXPECT_EQ(settle(spec).goal.closed_budget_s, 600);
  spec.concurrency = "8,16";
  EXPECT_EQ(settle(spec).goal.open_budget_s, 1200) << "listed levels take what they take";
  spec.max_duration = "200s";
  EXPECT_EQ(settle(spec).rules.max_duration, std::chrono::seconds(200));
}

TEST(SweepSettings, PlanKeysAndFlagsSayTheSame) {
  RunSpec spec = searching();
  spec.refine = "false";
  EXPECT_FALSE(settle(spec).goal.refine);
  spec = searching();
  spec.no_refine = true;
  EXPECT_FALSE(settle(spec).goal.refine);
  spec = searching();
  spec.until_stable = true;
  EXPECT_TRUE(settle(spec).rules.until_stable);
}

TEST(SweepSettings, ContradictionsAreRefusedByName) {
  const auto refused = [](auto change, const std::string& word) {
    RunSpec spec = searching();
    change(spec);
    EXPECT_NE(refusal_of(spec).find(word), std::string::npos) << word << ": " << refusal_of(spec);
  };
  refused([](RunSpec& s) { s.search = true, s.concurrency = "1,2"; }, "leave out --concurrency");
  refused([](RunSpec& s) { s.search = true, s.request_rate = "1,2"; }, "leave out --request-rate");
  refused([](RunSpec& s) { s.search = true, s.slo.clear(); }, "--slo");
  refused([](RunSpec& s) { s.open = true, s.slo.clear(); }, "--slo");
  refused([](RunSpec& s) { s.open = true, s.request_rate = "2"; }, "leave out --request-rate");
  refused([](RunSpec& s) { s.search = true, s.up_and_down = true; }, "--up-and-down");
  refused([](RunSpec& s) { s.search = true, s.no_refine = true; }, "--no-refine");
  refused([](RunSpec& s) { s.refine = "true", s.no_refine = true; }, "contradict");
  refused([](RunSpec& s) { s.refine = "maybe"; }, "neither true nor false");
  refused([](RunSpec& s) { s.budget = "10m", s.concurrency = "1,2"; }, "--max-duration");
  refused([](RunSpec& s) { s.budget = "30s"; }, "--budget");
  refused([](RunSpec& s) { s.budget = "5m", s.repeats = 6; }, "in each repetition");
  refused([](RunSpec& s) { s.budget = "soon"; }, "--budget");
  refused([](RunSpec& s) { s.capacity_precision = "0%"; }, "--capacity-precision");
  refused([](RunSpec& s) { s.repeats = 0; }, "--repeats");
  refused([](RunSpec& s) { s.until_stable = true, s.until = "decided"; }, "contradict");
}

}  // namespace
}  // namespace loadline
