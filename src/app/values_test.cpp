#include "app/values.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Values, Objectives) {
  const Objective objective = parse_objective("p99 ttft<=1000ms", "--slo");
  EXPECT_EQ(objective.metric, Latency::ttft);
  EXPECT_DOUBLE_EQ(objective.percentile, 0.99);
  EXPECT_EQ(objective.limit, 1s);
  const Objective other = parse_objective(" P99.9  TPOT <= 0.05 s ", "--slo");
  EXPECT_EQ(other.metric, Latency::tpot);
  EXPECT_DOUBLE_EQ(other.percentile, 0.999);
  EXPECT_EQ(other.limit, 50ms);
}

TEST(Values, ObjectivesThatCannotBeReadSayWhy) {
  EXPECT_EQ(
      refusal([] { parse_objective("p99 tftt<=1s", "--slo"); }),
      "--slo: cannot read the objective 'p99 tftt<=1s': unknown metric 'tftt', did you mean ttft?; known are ttft, "
      "tpot, itl, e2e; write it like 'p99 ttft<=1000ms'");
  for (const char* text :
       {"", "fast", "ttft<=1s", "p99 ttft<1s", "p0 ttft<=1s", "p100 ttft<=1s", "p99 ttft<=-5ms", "p99 ttft<=10",
        "p99 ttft<=10 parsecs", "p99 ttft<=nan ms", "p99 ttft<=inf s", "p99 ttft<=1e300h"}) {
    EXPECT_THROW(parse_objective(text, "--slo"), Error) << text;
  }
}

TEST(Values, AnObjectiveMayBeOfAClass) {
  const auto of = [](const std::string& words) {
    return *parse_objective("p95 TTFT<=500ms where " + words, "--slo").of;
  };
  const RequestClass shorter = of("prompt<=2000"), middle = of("prompt=2000..8000"), longer = of("prompt > 8000");
  EXPECT_EQ(std::pair(shorter.from, shorter.to), std::pair(std::int64_t{1}, std::int64_t{2000}));
  EXPECT_EQ(std::pair(middle.from, middle.to), std::pair(std::int64_t{2000}, std::int64_t{8000}));
  EXPECT_EQ(std::pair(longer.from, longer.to), std::pair(std::int64_t{8001}, RequestClass::no_end));
  EXPECT_EQ(of("prompt<100").to, 99);
  EXPECT_EQ(of("turn=1").by, ClassBy::turn);
  EXPECT_EQ(of("turn>1").from, 2);
  EXPECT_EQ(of("session=Night Batch").name, "Night Batch") << "letters as they are";
  EXPECT_EQ(of("client=a<b").name, "a<b");
  EXPECT_FALSE(parse_objective("p95 ttft<=500ms", "--slo").of);
  for (const char* words :
       {"prompt<=2000", "prompt>8000", "prompt=5..7", "prompt=5", "turn>1", "session=a", "client=B"})
    EXPECT_EQ(class_text(of(words)), words);
}

TEST(Values, AClassThatCannotBeReadSaysWhy) {
  EXPECT_EQ(refusal([] { parse_objective("p99 ttft<=1s where promt<=5", "--slo"); }),
            "--slo: cannot read the objective 'p99 ttft<=1s where promt<=5': 'promt' is no class of requests, did you "
            "mean prompt?; known are prompt, turn, session, client; write it like 'where prompt<=2000', 'where "
            "prompt=2000..8000', 'where turn>1', 'where session=NAME' or 'where client=NAME'");
  for (const char* words : {"", "prompt", "prompt<=", "prompt=8..2", "prompt<1", "prompt=0", "prompt<=1.5", "prompt=-1",
                            "turn=first", "session<=a", "session=", "client"}) {
    EXPECT_THROW(parse_objective(std::string("p99 ttft<=1s where ") + words, "--slo"), Error) << words;
  }
}

TEST(Values, Levels) {
  EXPECT_EQ(parse_levels("1,2, 4", "--concurrency", true), (std::vector<double>{1, 2, 4}));
  EXPECT_EQ(parse_levels("0.5,2", "--request-rate", false), (std::vector<double>{0.5, 2}));
  for (const char* text : {"", ",", "0", "1,1", "1.5", "-3", "many", "1e9"}) {
    EXPECT_THROW(parse_levels(text, "--concurrency", true), Error) << text;
  }
}

TEST(Values, DurationsAndNumbers) {
  EXPECT_EQ(parse_duration("15m", "x"), 900s);
  EXPECT_EQ(parse_duration("90", "x"), 90s);
  EXPECT_EQ(parse_duration("1.5 s", "x"), 1500ms);
  EXPECT_THROW(parse_duration("0", "x"), Error);
  EXPECT_THROW(parse_duration("soon", "x"), Error);
  EXPECT_THROW(parse_whole_number("-1", "x"), Error);
  EXPECT_THROW(parse_whole_number("7x", "x"), Error);
  EXPECT_EQ(parse_whole_number("18446744073709551615", "x"), ~std::uint64_t{0});
  EXPECT_THROW(parse_number("1,5", "x"), Error);
}

TEST(Values, Goodput) {
  const GoodputLimits limits = parse_goodput({"ttft:1000 tpot:50"}, "--goodput");
  EXPECT_EQ(limits.ttft, 1s);
  EXPECT_EQ(limits.tpot, 50ms);
  EXPECT_FALSE(limits.e2e);
  EXPECT_THROW(parse_goodput({"itl:5"}, "--goodput"), Error);
  EXPECT_THROW(parse_goodput({"ttft:5", "ttft:6"}, "--goodput"), Error);
  EXPECT_THROW(parse_goodput({"ttft"}, "--goodput"), Error);
}

TEST(Values, Shares) {
  EXPECT_DOUBLE_EQ(parse_share("5%", "--capacity-precision"), 0.05);
  EXPECT_DOUBLE_EQ(parse_share("0.02", "--capacity-precision"), 0.02);
  EXPECT_DOUBLE_EQ(parse_share("100%", "x"), 1);
  for (const char* wrong : {"0", "-1%", "5", "101%", "%", "five", "nan"})
    EXPECT_THROW(parse_share(wrong, "x"), Error) << wrong;
}

}  // namespace
}  // namespace loadline
