#include "app/run_spec.h"

#include <gtest/gtest.h>

#include "app/settings.h"
#include "core/error.h"

namespace loadline {
namespace {

std::string refusal_of_spec(RunSpec spec) {
  try {
    settle_max_concurrency(spec);
    settle(spec);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(MaxConcurrency, IsUsersWithoutAnOpenLoop) {
  RunSpec spec;
  spec.max_concurrency = "1,2,4";
  settle_max_concurrency(spec);
  const RunSettings settings = settle(spec);
  ASSERT_EQ(settings.levels.size(), 3u);
  EXPECT_EQ(settings.levels[0].max_in_flight, 0u);
}

TEST(MaxConcurrency, CapsAnOpenLoop) {
  RunSpec spec;
  spec.max_concurrency = "64";
  spec.request_rate = "1,2";
  settle_max_concurrency(spec);
  const RunSettings settings = settle(spec);
  ASSERT_EQ(settings.levels.size(), 2u);
  EXPECT_EQ(settings.levels[1].max_in_flight, 64u);
  for (const char* bad : {"0", "1,2", "-1", "x"}) {
    spec.max_concurrency = bad;
    EXPECT_NE(refusal_of_spec(spec).find("--max-concurrency"), std::string::npos) << bad;
  }
}

TEST(MaxConcurrency, TwoNamesOfOneThingAreRefused) {
  RunSpec spec;
  spec.max_concurrency = spec.concurrency = "4";
  EXPECT_NE(refusal_of_spec(spec).find("give one of them"), std::string::npos);
}

TEST(RunSpec, UnknownNamesOfTheTarget) {
  RunSpec spec;
  spec.endpoint_type = "mesages";
  EXPECT_NE(refusal_of_spec(spec).find("did you mean messages?"), std::string::npos);
  spec.endpoint_type = "anthropic";
  EXPECT_EQ(refusal_of_spec(spec), "");
  spec.balance = "random";
  EXPECT_NE(refusal_of_spec(spec).find("least-outstanding"), std::string::npos);
}

TEST(RunSpec, LimitsOnTimesOfTokensNeedAStream) {
  RunSpec spec;
  spec.no_stream = true;
  spec.slo = {"p99 e2e<=5s"};
  EXPECT_EQ(refusal_of_spec(spec), "");
  spec.slo = {"p99 ttft<=1s"};
  EXPECT_NE(refusal_of_spec(spec).find("--no-stream"), std::string::npos);
  spec.no_stream = false;
  EXPECT_EQ(refusal_of_spec(spec), "");
  spec.endpoint_type = "embeddings";
  EXPECT_NE(refusal_of_spec(spec).find("embeddings"), std::string::npos);
  spec.slo.clear();
  spec.goodput = {"tpot:50"};
  EXPECT_NE(refusal_of_spec(spec).find("--goodput"), std::string::npos);
}

}  // namespace
}  // namespace loadline
