#include "compare/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/error.h"

namespace loadline {
namespace {

/// A run of closed levels, `ms` being the TTFT and ten times that the residence of each of 200 requests.
struct SmallRun {
  RunReport report;
  double ms = 100;
  std::int64_t completion = 50;

  SmallRun(double ttft_ms, std::vector<double> loads, const std::string& digest = "same", std::uint32_t passes = 1)
      : ms(ttft_ms) {
    report.cache_state = "cold";
    std::uint32_t ordinal = 0;
    for (std::uint32_t pass = 0; pass < passes; ++pass) {
      for (const double load : loads) {
        LevelResult level;
        level.ordinal = ordinal++;
        level.level = {LevelKind::concurrency, load, Arrivals::closed};
        level.level.pass = pass;
        level.request_digests = {{64, digest + std::to_string(level.ordinal)}};
        report.levels.push_back(level);
      }
    }
  }

  LevelRecords records(std::uint32_t ordinal) const {
    LevelRecords records;
    records.ordinal = ordinal;
    records.level = report.levels.at(ordinal).level;
    records.window_start = run_time(0);
    records.state = "complete";
    for (std::uint32_t serial = 0; serial < 200; ++serial) {
      RequestRecord record;
      record.serial = serial;
      record.outcome = Outcome::ok;
      record.due = run_time(serial * 1'000'000);
      // A little of its own for each request, so that batches differ.
      const Nanos ttft = nanos(Seconds(ms / 1e3 * (1 + 0.001 * static_cast<double>(serial % 7))));
      record.first_token = *record.due + ttft;
      record.last_token = record.closed = *record.due + 10 * ttft;
      record.completion_tokens = Tokens(completion);
      records.requests.push_back(record);
    }
    return records;
  }

  ComparedRun side(const std::string& name, const std::string& flag = "") const {
    ComparedRun run;
    run.name = name;
    run.report = &report;
    run.manifest = {{"engine.name", "e"}, {"flags.x", flag}};
    run.records = [this](std::uint32_t ordinal) { return records(ordinal); };
    run.curve = [](const std::vector<LevelResult>&) { return Curve{}; };
    return run;
  }
};

const Ratio& ratio_of(const Comparison& comparison, RatioMetric metric, double load) {
  return *std::ranges::find_if(comparison.ratios, [&](const Ratio& ratio) {
    return ratio.metric == metric && ratio.level && ratio.level->target == load;
  });
}

TEST(Compare, WithoutAnObjectiveTheRateAtEqualLoadDecides) {
  const SmallRun a(100, {8, 16}), b(110, {8, 16, 32});
  const Comparison comparison = compare(a.side("a", "1"), b.side("b", "2"), {});
  EXPECT_EQ(comparison.manifest.variable, "flags.x");
  EXPECT_EQ(comparison.verdict, ComparisonVerdict::slower);
  EXPECT_EQ(comparison.ratios.front().metric, RatioMetric::request_rate);
  EXPECT_FALSE(comparison.ratios.front().level);
  EXPECT_NEAR(comparison.ratios.front().b_over_a->value, 1 / 1.1, 1e-6);
  EXPECT_NEAR(ratio_of(comparison, RatioMetric::ttft_p99, 16).b_over_a->value, 1.1, 1e-6);
  EXPECT_EQ(ratio_of(comparison, RatioMetric::ttft_p99, 16).requests, 200U);
  ASSERT_EQ(comparison.remarks.size(), 1U);  // 32 users of B have no partner
  EXPECT_TRUE(comparison.valid);
}

TEST(Compare, FourPassesAreFourPairs) {
  const SmallRun a(100, {8}, "same", 4), b(100, {8}, "same", 4);
  const Comparison comparison = compare(a.side("a"), b.side("b"), {});
  EXPECT_EQ(comparison.manifest.comparability, Comparability::repeat);
  EXPECT_EQ(comparison.passes, 4U);
  EXPECT_EQ(comparison.ratios.front().method, RatioMethod::student_pairs);
  EXPECT_EQ(comparison.verdict, ComparisonVerdict::equivalent);
}

TEST(Compare, OtherRequestsAreRefusedAlsoAtEqualLoads) {
  const SmallRun a(100, {8}), b(100, {8}, "other");
  const Comparison refused = compare(a.side("a"), b.side("b"), {});
  EXPECT_EQ(refused.manifest.comparability, Comparability::refused);
  EXPECT_TRUE(refused.ratios.empty());
  EXPECT_FALSE(refused.valid);
  EXPECT_EQ(refused.sentence.rfind("Refused", 0), 0U);
  ComparisonSettings forced;
  forced.force = true;
  const Comparison shown = compare(a.side("a"), b.side("b"), forced);
  EXPECT_TRUE(shown.forced);
  EXPECT_FALSE(shown.valid);
  EXPECT_FALSE(shown.ratios.front().b_over_a);  // there is nothing to pair
}

TEST(Compare, AnswersOfOtherLengthsAreOtherWork) {
  const SmallRun a(100, {8});
  SmallRun b(100, {8});
  b.completion = 51;  // 2% longer
  const Comparison comparison = compare(a.side("a"), b.side("b"), {});
  EXPECT_EQ(comparison.manifest.comparability, Comparability::refused);
  EXPECT_NE(comparison.sentence.find("51"), std::string::npos);
}

TEST(Compare, NothingInCommonIsAnError) {
  const SmallRun a(100, {8}), b(100, {9}), none(100, {});
  EXPECT_THROW(compare(a.side("a"), b.side("b"), {}), Error);
  EXPECT_THROW(compare(a.side("a"), none.side("none"), {}), Error);
}

TEST(Compare, AnInvalidatingDoubtOfASideIsTheComparisons) {
  const SmallRun a(100, {8});
  SmallRun b(100, {8});
  b.report.levels[0].doubts.push_back(make_doubt("failures", 0, "Too many."));
  const Comparison comparison = compare(a.side("a"), b.side("b"), {});
  EXPECT_FALSE(comparison.valid);
  ASSERT_EQ(comparison.doubts.size(), 1U);
  EXPECT_EQ(comparison.doubts[0].text, "B: Too many.");
  EXPECT_EQ(comparison.sentence.rfind("NOT VALID", 0), 0U);
}

TEST(PairRequests, MatchesTurnsByConversationAndLeavesOutOtherWork) {
  SmallRun run(100, {8});
  LevelRecords a = run.records(0), b = run.records(0);
  for (LevelRecords* level : {&a, &b}) {
    for (RequestRecord& record : level->requests) {
      record.session = record.serial / 2;
      record.turn = record.serial % 2;
    }
  }
  // On B turns were released in another order; one request was planned otherwise, one is not measured.
  std::swap(b.requests[10].session, b.requests[20].session);
  b.requests[3].planned_prompt = Tokens(99);
  b.requests[5].due.reset();
  EXPECT_EQ(pair_requests(a, b).requests.size(), 198U);
  b.window_end = run_time(100'000'000);  // the first 100
  EXPECT_EQ(pair_requests(a, b).requests.size(), 98U);
}

}  // namespace
}  // namespace loadline
