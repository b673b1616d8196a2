#include "report/plan_page.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/plan_json.h"
#include "report/plan_text.h"

namespace loadline {
namespace {

PlannedRequest planned_request(std::int64_t prompt, std::int64_t completion, SessionIndex session) {
  PlannedRequest planned;
  planned.request.prompt.length = Tokens(prompt);
  planned.request.completion = Tokens(completion);
  planned.request.session = session;
  planned.request.turn = 3;
  return planned;
}

PlannedLevel closed_level() {
  PlannedLevel level;
  level.plan.level = {LevelKind::concurrency, 64, Arrivals::closed};
  level.plan.requests = {planned_request(1020, 129, no_session), planned_request(40, 7, no_session)};
  level.prompt_tokens = summarise_lengths({1020, 40});
  level.completion_tokens = summarise_lengths({129, 7});
  level.digest = 0xabc;
  level.shared = {Tokens(0), Tokens(0)};
  level.cut_prompts = 2;
  return level;
}

PlannedLevel open_level() {
  PlannedLevel level = closed_level();
  level.plan.level = {LevelKind::request_rate, 7.5, Arrivals::poisson};
  level.plan.ordinal = 1;
  level.plan.requests = {planned_request(1536, 129, 4), planned_request(2048, 7, no_session)};
  level.plan.requests[0].due = AtOffset{std::chrono::milliseconds(1250)};
  level.plan.requests[0].request.prompt.block_count = 3;
  level.plan.blocks = {1, 2, 3};
  level.plan.block_size = 512;
  level.prefix_sharing_rate = 0.374;
  level.shared = {Tokens(1024), Tokens(0)};
  return level;
}

PlanPage page_of_both() {
  PlanPage page;
  page.source = "builtin:chat-azure-2023";
  page.assumption = "Assumption: lengths from elsewhere.";
  page.seed = 17;
  page.scale_lengths = 0.5;
  page.levels = {closed_level(), open_level()};
  return page;
}

TEST(PlanText, SaysWhatWouldBeSent) {
  const std::string text = plan_text(page_of_both());
  for (const char* part : {"builtin:chat-azure-2023, seed 17", "Assumption: lengths from elsewhere.",
                           "multiplied by 0.5", "Level 0: 64 users", "no prefix is shared", "2 prompts, 0 completions",
                           "user free", "Level 1: 7.5 requests/s, poisson arrivals", "37.4% of the prompt tokens",
                           "blocks of 512", "1.250 s", "1,536", "1,024", "0000000000000abc", "2 requests drawn"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(PlanText, ShowsOnlyTheFirst) {
  const std::string text = plan_text(page_of_both(), 1);
  EXPECT_EQ(text.find("2,048"), std::string::npos) << text;
  EXPECT_NE(text.find("1,536"), std::string::npos);
}

TEST(PlanText, AnEmptyLevelHasNoQuantiles) {
  PlanPage page;
  page.source = "log.csv";
  page.levels.resize(1);
  const std::string text = plan_text(page);
  EXPECT_NE(text.find("0 requests drawn"), std::string::npos);
  EXPECT_EQ(text.find("p50"), std::string::npos);
  EXPECT_EQ(text.find("Assumption"), std::string::npos);
}

TEST(PlanJson, HoldsEveryFieldOfTheFirstRequests) {
  const std::string text = plan_json(page_of_both());
  EXPECT_EQ(text.back(), '\n');
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["seed"], 17);
  EXPECT_EQ(json["scale_lengths"], 0.5);
  const auto& closed = json["levels"][0];
  EXPECT_EQ(closed["kind"], "concurrency");
  EXPECT_EQ(closed["arrivals"], "closed");
  EXPECT_EQ(closed["requests"], 2);
  EXPECT_TRUE(closed["block_size"].is_null());
  EXPECT_EQ(closed["prompt_tokens"]["max"], 1020);
  EXPECT_EQ(closed["cut_prompts"], 2);
  EXPECT_TRUE(closed["first_requests"][0]["due_s"].is_null());
  const auto& open = json["levels"][1];
  EXPECT_EQ(open["target"], 7.5);
  EXPECT_EQ(open["digest"], "0000000000000abc");
  EXPECT_EQ(open["prefix_sharing_rate"], 0.374);
  const nlohmann::json first = {
      {"serial", 0},           {"due_s", 1.25}, {"prompt_tokens", 1536}, {"completion_tokens", 129},
      {"shared_tokens", 1024}, {"blocks", 3},   {"session", 4},          {"turn", 3},
      {"after", nullptr}};
  EXPECT_EQ(open["first_requests"][0], first);
  EXPECT_TRUE(open["first_requests"][1]["session"].is_null());
  EXPECT_EQ(nlohmann::json::parse(plan_json(page_of_both(), 1))["levels"][1]["first_requests"].size(), 1U);
}

/// Drawn from a log by its sessions.
PlanPage page_of_a_log() {
  PlanPage page;
  page.source = "log\x1b[31m.jsonl";
  page.levels = {open_level()};
  PlannedLevel& level = page.levels[0];
  level.sampler = "sessions";
  level.sample = SampleDistance{0.021, 0.018, 9000, 2, 9000, 2, SharingOrigin::hashed, 0.374, 0.361, 0.38};
  level.dropped_prompts = 5;
  level.plan.requests[1].due = AfterTurn{0, std::chrono::milliseconds(2500)};
  level.plan.requests[1].request.completion = Tokens(0);
  return page;
}

TEST(PlanText, SaysHowFarTheSampleIsFromItsLog) {
  PlanPage page = page_of_a_log();
  const std::string text = plan_text(page);
  for (const char* part : {"drawn by the sampler sessions",
                           "against the log: KS distance prompt 0.0210, completion 0.0180; token hit rate "
                           "37.4% in the log, 36.1% drawn, 38.0% before long prompts were cut or dropped",
                           "5 prompts dropped as too long", "end of 0 + 2.500 s"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("estimated"), std::string::npos);
  page.tokens_estimated = true;
  EXPECT_NE(plan_text(page).find("tokens, estimated"), std::string::npos);
  EXPECT_EQ(plan_text(page_of_both()).find("against the log"), std::string::npos);
  EXPECT_EQ(plan_text(page_of_both()).find("sampler"), std::string::npos);
}

TEST(PlanText, UnknownSharingIsLeftOut) {
  PlanPage page = page_of_a_log();
  page.levels[0].sample = SampleDistance{0.021, std::nullopt, 9000, 2, 0, 0, SharingOrigin::unknown, {}, {}, {}};
  const std::string text = plan_text(page);
  EXPECT_NE(text.find("against the log: KS distance prompt 0.0210\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("hit rate"), std::string::npos);
}

TEST(PlanJson, SaysHowFarTheSampleIsFromItsLog) {
  const auto json = nlohmann::json::parse(plan_json(page_of_a_log()));
  const auto& level = json["levels"][0];
  EXPECT_EQ(json["tokens"], "counted");
  EXPECT_EQ(level["sampler"], "sessions");
  const nlohmann::json sample = {{"prompt_ks", 0.021},
                                 {"completion_ks", 0.018},
                                 {"log_hit_rate", 0.374},
                                 {"sample_hit_rate", 0.361},
                                 {"uncut_hit_rate", 0.38}};
  EXPECT_EQ(level["sample"], sample);
  EXPECT_EQ(level["dropped_prompts"], 5);
  const nlohmann::json after = {{"request", 0}, {"pause_s", 2.5}, {"not_before_s", 0.0}};
  EXPECT_EQ(level["first_requests"][1]["after"], after);
  EXPECT_TRUE(level["first_requests"][1]["due_s"].is_null());
  EXPECT_TRUE(level["first_requests"][1]["completion_tokens"].is_null());
  const auto assumed = nlohmann::json::parse(plan_json(page_of_both()));
  EXPECT_TRUE(assumed["tokens"].is_null());
  EXPECT_TRUE(assumed["levels"][0]["sample"].is_null());
  EXPECT_TRUE(assumed["levels"][0]["sampler"].is_null());
}

TEST(PlanJson, ALogHasNoAssumption) {
  PlanPage page;
  page.source = "log.csv";
  page.levels.resize(1);
  const auto json = nlohmann::json::parse(plan_json(page));
  EXPECT_TRUE(json["assumption"].is_null());
  EXPECT_TRUE(json["levels"][0]["prompt_tokens"].is_null());
}

}  // namespace
}  // namespace loadline
