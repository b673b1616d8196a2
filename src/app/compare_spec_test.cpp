#include "app/compare_spec.h"

#include <gtest/gtest.h>

#include "app/plan_file.h"

namespace loadline {
namespace {

TEST(ParseSide, KnowsTargetsFromFolders) {
  EXPECT_EQ(parse_side("http://h:8000").kind, SideKind::url);
  EXPECT_EQ(parse_side("https://h").kind, SideKind::url);
  EXPECT_EQ(parse_side("engine").kind, SideKind::embedded_engine);
  EXPECT_EQ(parse_side("runs/engine").kind, SideKind::folder);
  EXPECT_EQ(parse_side("./model").kind, SideKind::folder);
  const ComparedSide side = parse_side("model:overlap=0.9,token_budget=512");
  EXPECT_EQ(side.kind, SideKind::engine_model);
  EXPECT_EQ(side.parameters, (std::vector<std::string>{"overlap=0.9", "token_budget=512"}));
  EXPECT_EQ(side.text, "model:overlap=0.9,token_budget=512");
}

TEST(CompareRunRows, LeaveOutWhatNoTargetReads) {
  for (const OptionRow<RunSpec>& row : compare_run_rows()) EXPECT_NE(row.group, "Prediction") << row.names;
}

TEST(PlanValues, AreKeysWithTheirTexts) {
  const auto values = plan_values("slo: [p99 ttft<=1s, p99 tpot<=50ms]\nseed: 7\n", "plan");
  EXPECT_EQ(values.at("seed"), "7");
  EXPECT_EQ(values.at("slo"), "p99 ttft<=1s, p99 tpot<=50ms");
  EXPECT_THROW(plan_values("sede: 7\n", "plan"), Error);
  EXPECT_TRUE(plan_values("{}\n", "plan").empty());
}

}  // namespace
}  // namespace loadline
