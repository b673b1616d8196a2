#include "app/run_setup.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace loadline {
namespace {

Input input_with_completions(const std::vector<std::int64_t>& completions) {
  Input input;
  input.trace.emplace();
  for (const std::int64_t completion : completions) {
    TraceRow row;
    row.prompt = Tokens(100);
    row.completion = Tokens(completion);
    input.trace->rows.push_back(row);
  }
  return input;
}

Target target_at(Endpoint endpoint) {
  Target target;
  target.endpoint = endpoint;
  return target;
}

TEST(UnknownCompletions, AreADoubtWhereTheModelEndsItsAnswersItself) {
  RunDescription description;
  apply_unknown_completions(input_with_completions({20, 0}), target_at(Endpoint::chat), description);
  EXPECT_FALSE(description.lengths_forced);
  ASSERT_EQ(description.doubts.size(), 1u);
  EXPECT_EQ(description.doubts[0].id, "lengths_not_as_drawn");
}

TEST(UnknownCompletions, AreRefusedWhereAnswersWouldEndEarly) {
  RunDescription description;
  const Input input = input_with_completions({0});
  EXPECT_THROW(apply_unknown_completions(input, target_at(Endpoint::completions), description), Error);
}

TEST(UnknownCompletions, LeaveALogThatTellsThemAlone) {
  RunDescription description;
  apply_unknown_completions(input_with_completions({20, 30}), target_at(Endpoint::completions), description);
  EXPECT_TRUE(description.lengths_forced);
  EXPECT_TRUE(description.doubts.empty());
}

TEST(SettledClasses, AreResolvedAndTheirNamesKept) {
  Input input = input_with_completions({20});
  input.trace->sessions = {"alpha", "beta"};
  RunSpec spec;
  spec.slo = {"p99 ttft<=1s where session=beta"};
  RunSettings settings = settle(spec);
  const ClassNames names = settle_classes(input, settings);
  EXPECT_EQ(settings.rules.objectives.at(0).of->index, 1u);
  EXPECT_EQ(names.sessions.at("beta"), 1u);
}

}  // namespace
}  // namespace loadline
