#include "app/objectives.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/record.h"

namespace loadline {
namespace {

std::string objectives_refused(const std::vector<std::string>& texts) {
  try {
    parse_objectives(texts);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Objectives, ThatDoNotContradictEachOtherAreTaken) {
  EXPECT_EQ(parse_objectives({"p99 ttft<=1000ms", "p50 ttft<=300ms", "p99 e2e<=20s", "p99 tpot<=50ms",
                              "p99 ttft<=400ms where prompt<=2000", "p50 ttft<=2s where turn>1"})
                .size(),
            6u);
}

TEST(Objectives, ThatContradictEachOtherAreRefusedByName) {
  EXPECT_EQ(objectives_refused({"p99 ttft<=1000ms", "p99 ttft<=2s"}),
            "--slo: 'p99 TTFT ≤ 1,000 ms' and 'p99 TTFT ≤ 2,000 ms' limit the same percentile of the same metric; give "
            "one of them");
  EXPECT_EQ(
      objectives_refused({"p99 ttft<=1000ms", "p50 ttft<=2s"}),
      "--slo: 'p50 TTFT ≤ 2,000 ms' contradicts 'p99 TTFT ≤ 1,000 ms': a lower percentile needs a lower limit, else "
      "it says nothing; leave one of them out");
  EXPECT_EQ(
      objectives_refused({"p90 e2e<=900ms", "p90 ttft<=1s"}),
      "--slo: 'p90 E2E latency ≤ 900 ms' contradicts 'p90 TTFT ≤ 1,000 ms': no answer ends before its first token; "
      "leave one of them out");
  EXPECT_NE(objectives_refused({"p99 ttft<=1s where turn=1", "p99 ttft<=2s where turn=1"}), "");
}

TEST(Objectives, NamesOfTheLogAreResolvedAndNoOthers) {
  Trace trace;
  trace.source = "log.jsonl";
  trace.sessions = {"alpha", "beta"};
  trace.clients = {"web", "batch"};
  std::vector<Objective> objectives =
      parse_objectives({"p99 ttft<=1s where session=beta", "p99 ttft<=1s where client=batch"});
  const ClassNames names = class_names(objectives, &trace);
  resolve_classes(objectives, names);
  EXPECT_EQ(objectives[0].of->index, 1u);
  EXPECT_EQ(objectives[0].of->sessions_of_log, 2u);
  EXPECT_EQ(objectives[1].of->index, 1u);

  std::vector<Objective> other = parse_objectives({"p99 ttft<=1s where client=web"});
  EXPECT_THROW(resolve_classes(other, names), Error) << "the run kept no such name";
  try {
    class_names(parse_objectives({"p99 ttft<=1s where client=batsh"}), &trace);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), "--slo: log.jsonl has no client 'batsh', did you mean batch?");
  }
  EXPECT_THROW(class_names(objectives, nullptr), Error) << "a built-in workload names nobody";
}

TEST(RequestClasses, HoldWhatTheyName) {
  RequestRecord record;
  record.planned_prompt = Tokens(2000);
  record.turn = 0;
  record.session = 5;  // the second session of three, in the second pass over the log
  record.client = 1;
  const auto holds = [&](RequestClass of) { return belongs_to(record, of); };
  EXPECT_TRUE(holds({ClassBy::prompt, 1, 2000}));
  EXPECT_FALSE(holds({ClassBy::prompt, 2001}));
  EXPECT_TRUE(holds({ClassBy::turn, 1, 1}));
  EXPECT_FALSE(holds({ClassBy::turn, 2}));
  EXPECT_TRUE(holds({ClassBy::session, 1, RequestClass::no_end, "b", 2, 3}));
  EXPECT_FALSE(holds({ClassBy::session, 1, RequestClass::no_end, "a", 1, 3}));
  EXPECT_FALSE(holds({ClassBy::session, 1, RequestClass::no_end, "b"})) << "not resolved";
  EXPECT_TRUE(holds({ClassBy::client, 1, RequestClass::no_end, "web", 1}));
  record.client = no_client;
  record.session = no_session;
  EXPECT_FALSE(holds({ClassBy::client, 1, RequestClass::no_end, "web", 1}));
  EXPECT_FALSE(holds({ClassBy::session, 1, RequestClass::no_end, "b", 2, 3}));
  record.planned_prompt = Tokens(0);
  EXPECT_FALSE(holds({ClassBy::prompt, 1})) << "nobody knows its length";
  record.prompt_tokens = Tokens(70);
  EXPECT_TRUE(holds({ClassBy::prompt, 1, 70}));
}

}  // namespace
}  // namespace loadline
