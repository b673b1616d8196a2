#include <gtest/gtest.h>

#include <set>

#include "core/doubt.h"
#include "core/error.h"
#include "core/fact.h"
#include "core/gap_pool.h"
#include "core/nearest_name.h"
#include "core/outcome.h"
#include "core/prompt.h"
#include "core/random.h"
#include "core/record.h"
#include "core/trace.h"
#include "core/workload.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

TEST(Outcome, NamesGoBothWays) {
  for (std::size_t i = 0; i < outcome_count; ++i) {
    const auto outcome = static_cast<Outcome>(i);
    EXPECT_EQ(outcome_named(name(outcome)), outcome);
  }
  EXPECT_FALSE(outcome_named("fine"));
  EXPECT_EQ(name(Outcome::short_answer), "short");
  EXPECT_FALSE(failed(Outcome::censored));
  EXPECT_FALSE(failed(Outcome::short_answer));
  EXPECT_TRUE(failed(Outcome::empty));
}

TEST(SharingOrigin, NamesGoBothWays) {
  for (const SharingOrigin origin :
       {SharingOrigin::unknown, SharingOrigin::hashed, SharingOrigin::sessions, SharingOrigin::cached_counts}) {
    EXPECT_EQ(sharing_origin_named(name(origin)), origin);
  }
  EXPECT_EQ(name(SharingOrigin::cached_counts), "cached-counts");
  EXPECT_FALSE(sharing_origin_named("cached_counts"));
}

TEST(NearestName, IsTheOneThatDiffersLeast) {
  const std::vector<std::string> names = {"concurrency", "seed", "send"};
  EXPECT_EQ(nearest_name("concurency", names), "concurrency") << "left out";
  EXPECT_EQ(nearest_name("seeed", names), "seed") << "put in";
  EXPECT_EQ(nearest_name("sent", names), "send") << "replaced";
  EXPECT_EQ(nearest_name("seed", names), "seed");
  EXPECT_EQ(nearest_name("seeds", {"seedy", "seedx"}), "seedy") << "the first of equals";
  EXPECT_EQ(nearest_name("zebra", names), "") << "more than half differs";
  EXPECT_EQ(nearest_name("chat-az", {"batch", "chat-azure-2023"}), "chat-azure-2023") << "broken off";
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name("seed", {}), "");
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
}

TEST(Random, OneSeedOneSequence) {
  // SplitMix64 with seed 0: the published first outputs.
  Random random(0);
  EXPECT_EQ(random.next(), 0xe220a8397b1dcdafULL);
  EXPECT_EQ(random.next(), 0x6e789e6aa1b965f4ULL);
}

TEST(Random, NormalQuantileAgreesWithTables) {
  EXPECT_NEAR(normal_quantile(0.975), 1.959963985, 1e-7);
  EXPECT_NEAR(normal_quantile(0.01), -2.326347874, 1e-7);
  EXPECT_NEAR(normal_quantile(0.5), 0.0, 1e-12);
}

TEST(Random, BelowStaysBelowAndReachesAll) {
  Random random(7);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random.below(7));
  EXPECT_EQ(seen.size(), 7u);
  EXPECT_EQ(*seen.rbegin(), 6u);
}

TEST(Lengths, NearestRank) {
  std::vector<std::int64_t> lengths;
  for (int i = 1; i <= 1000; ++i) lengths.push_back(i);
  const LengthSummary summary = summarise_lengths(lengths);
  EXPECT_EQ(summary.p99, 990);
  EXPECT_EQ(summary.p50, 500);
  EXPECT_EQ(summary.p99_9, 999);
  EXPECT_DOUBLE_EQ(summary.mean, 500.5);
}

TEST(Prompt, EqualBlocksEqualTokensElseDifferent) {
  const std::vector<std::uint64_t> blocks = {5, 6, 5, 9};
  const Vocabulary vocabulary;
  const auto tokens = [&](Prompt prompt, std::uint64_t salt) {
    std::vector<std::uint32_t> out;
    append_prompt_tokens(prompt, blocks, 16, salt, vocabulary, out);
    return out;
  };
  const auto a = tokens({Tokens(40), 0, 2, 1, 100}, 3);
  const auto b = tokens({Tokens(40), 2, 2, 1, 101}, 3);
  ASSERT_EQ(a.size(), 40u);
  EXPECT_TRUE(std::equal(a.begin(), a.begin() + 16, b.begin()));
  EXPECT_NE(a[16], b[16]);
  EXPECT_NE(a[33], b[33]);
  EXPECT_NE(tokens({Tokens(40), 0, 2, 2, 100}, 3), a) << "another namespace";
  EXPECT_NE(tokens({Tokens(40), 0, 2, 1, 100}, 4), a) << "another salt";
  EXPECT_EQ(tokens({Tokens(40), 0, 2, 1, 100}, 3), a);
  for (const std::uint32_t token : a) {
    EXPECT_GE(token, vocabulary.first);
    EXPECT_LT(token, vocabulary.first + vocabulary.count);
  }
}

TEST(Record, DurationsHaveOneDefinition) {
  RequestRecord r;
  r.due = run_time(0);
  r.sent = run_time(2'000'000);
  r.first_token = run_time(100'000'000);
  r.last_token = run_time(1'100'000'000);
  r.completion_tokens = Tokens(101);
  EXPECT_EQ(ttft(r), 100ms);
  EXPECT_EQ(service_ttft(r), 98ms);
  EXPECT_EQ(e2e(r), 1100ms);
  EXPECT_DOUBLE_EQ(tpot(r)->count(), 0.010);
  EXPECT_DOUBLE_EQ(*user_rate(r), 100.0);
  r.first_event_tokens = Tokens(51);
  EXPECT_DOUBLE_EQ(tpot(r)->count(), 0.020);
  r.completion_tokens = Tokens(51);
  EXPECT_FALSE(tpot(r)) << "n_out <= f";
  r.completion_tokens = Tokens(60);
  r.last_token = r.first_token;
  EXPECT_FALSE(tpot(r)) << "coalesced";
}

TEST(GapPool, SpansStayValid) {
  GapPool pool;
  const std::vector<std::uint32_t> first = {1, 2, 3};
  const GapSpan a = pool.append(first);
  const GapSpan big = pool.append(std::vector<std::uint32_t>(2'000'000, 7));
  EXPECT_EQ(pool.at(a)[2], 3u);
  EXPECT_EQ(pool.at(big).size(), 2'000'000u);
  EXPECT_EQ(pool.size(), 2'000'003u);
  EXPECT_TRUE(pool.at(pool.append({})).empty());
}

TEST(Facts, UnknownsAreListedAndTheFirstSpeakerWins) {
  const auto facts =
      with_unknowns({{"engine.name", "vllm", FactSource::user}, {"engine.name", "x", FactSource::server}});
  EXPECT_EQ(facts.front().value, "vllm");
  EXPECT_EQ(facts.size(), needed_facts().size());
  EXPECT_EQ(facts.back().source, FactSource::unknown);
}

TEST(Doubts, KnownIdsOnly) {
  EXPECT_TRUE(make_doubt("failures", 3, "x").invalidates);
  EXPECT_FALSE(make_doubt("little", 3, "x").invalidates);
  EXPECT_THROW(make_doubt("gloom", 3, "x"), Bug);
}

}  // namespace
}  // namespace loadline
