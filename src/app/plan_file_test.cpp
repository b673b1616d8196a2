#include "app/plan_file.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

std::string complaint(const std::string& text) {
  RunSpec spec;
  try {
    read_plan_text(text, "plan.yaml", spec);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(PlanFile, WhatIsWrittenIsReadAgain) {
  RunSpec spec;
  spec.trace = {"a log.csv", "b.csv"};
  spec.slo = {"p99 ttft<=1000ms"};
  spec.concurrency = "1,2,4";
  spec.num_prompts = 300;
  spec.scale_lengths = 0.25;
  spec.insecure = true;
  spec.fact = {"model.quantization=fp8"};
  spec.seed = 18446744073709551615ULL;
  spec.api_key = "sk-secret";
  spec.header = {"X-Key: secret"};
  spec.output_dir = "elsewhere";
  const std::string text = effective_plan(spec);
  EXPECT_EQ(text.find("secret"), std::string::npos);
  RunSpec again;
  read_plan_text(text, "plan.yaml", again);
  EXPECT_EQ(effective_plan(again), text);
  EXPECT_EQ(again.trace, spec.trace);
  EXPECT_EQ(again.num_prompts, spec.num_prompts);
  EXPECT_EQ(again.seed, spec.seed);
  EXPECT_TRUE(again.insecure);
  EXPECT_TRUE(again.output_dir.empty()) << "where a run is written decides nothing";
}

TEST(PlanFile, ListsAndFactsMayBeWrittenAsYaml) {
  RunSpec spec;
  read_plan_text("concurrency: [1, 2, 4]\nfacts:\n  model.quantization: fp8\n  hardware.count: 8\nslo: p99 ttft<=1s\n",
                 "plan.yaml", spec);
  EXPECT_EQ(spec.concurrency, "1,2,4");
  EXPECT_EQ(spec.fact, (std::vector<std::string>{"model.quantization=fp8", "hardware.count=8"}));
  EXPECT_EQ(spec.slo, (std::vector<std::string>{"p99 ttft<=1s"}));
}

TEST(PlanFile, ErrorsNameLineAndKey) {
  EXPECT_EQ(complaint("seed: 1\nconcurency: 4\n"),
            "plan.yaml line 2: unknown key 'concurency'; did you mean concurrency?");
  EXPECT_EQ(complaint("seed: -1\n"), "plan.yaml line 1, key seed: '-1' is not a whole number of 0 or more");
  EXPECT_EQ(complaint("seed: 1\nseed: 2\n"), "plan.yaml line 2, key seed: the key is given twice");
  EXPECT_EQ(complaint("insecure: maybe\n"), "plan.yaml line 1, key insecure: 'maybe' is neither true nor false");
  EXPECT_NE(complaint("api_key: sk\n").find("unknown key 'api_key'"), std::string::npos);
  EXPECT_NE(complaint("[1]\n").find("a plan is a YAML map"), std::string::npos);
  EXPECT_NE(complaint("a: [\n").find("not readable as YAML"), std::string::npos);
}

}  // namespace
}  // namespace loadline
