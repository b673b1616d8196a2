#include "prefix/sharing_summary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <sstream>

#include "core/error.h"
#include "prefix/reuse_order.h"
#include "prefix/sharing_logs_test.h"

namespace loadline {
namespace {

constexpr std::uint64_t small_memory = 2'500'000;

SharingSummary through_a_part(const SharingSummary& summary, std::uint64_t memory_bytes) {
  std::stringstream file;
  summary.write(file);
  return SharingSummary::read(file, "part", memory_bytes);
}

/// To the last bit.
void expect_equal_sharing(const PrefixProfile& a, const PrefixProfile& b) {
  EXPECT_EQ(a.origin, b.origin);
  EXPECT_EQ(a.block_size, b.block_size);
  EXPECT_EQ(a.blocks, b.blocks);
  EXPECT_EQ(a.unique_blocks, b.unique_blocks);
  EXPECT_EQ(a.roots, b.roots);
  EXPECT_EQ(a.token_hit_rate, b.token_hit_rate);
  EXPECT_EQ(a.token_hit_rate_full_blocks, b.token_hit_rate_full_blocks);
  EXPECT_EQ(a.token_hit_rate_beyond_first_block, b.token_hit_rate_beyond_first_block);
  EXPECT_EQ(a.request_hit_rate_mean, b.request_hit_rate_mean);
  EXPECT_EQ(a.requests_with_hit, b.requests_with_hit);
  EXPECT_EQ(a.requests_with_two_blocks, b.requests_with_two_blocks);
  EXPECT_EQ(a.lru_sampled_share, b.lru_sampled_share);
  EXPECT_EQ(a.lru_error, b.lru_error);
  EXPECT_EQ(a.hit_rate_error, b.hit_rate_error);
  ASSERT_EQ(a.lru.size(), b.lru.size());
  for (std::size_t i = 0; i < a.lru.size(); ++i) {
    EXPECT_EQ(a.lru[i].capacity_blocks, b.lru[i].capacity_blocks);
    EXPECT_EQ(a.lru[i].token_hit_rate, b.lru[i].token_hit_rate);
  }
}

template <class PartOf>
std::vector<std::vector<SharedRow>> cut(const std::vector<SharedRow>& rows, std::size_t parts, PartOf part_of) {
  std::vector<std::vector<SharedRow>> result(parts);
  for (std::size_t i = 0; i < rows.size(); ++i) result[part_of(i)].push_back(rows[i]);
  return result;
}

SharingSummary merged(const std::vector<std::vector<SharedRow>>& parts, std::uint64_t memory_bytes) {
  SharingSummary whole(memory_bytes);
  for (const std::vector<SharedRow>& part : parts)
    whole.merge(through_a_part(sharing_of_rows(part, facts_of_blocks(16), memory_bytes), memory_bytes));
  return whole;
}

TEST(SharingSummary, PartsMergeExactly) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const std::vector<SharedRow> rows = conversations(seed, {.requests = 2000});
    const PrefixProfile whole = sharing_of_rows(rows, facts_of_blocks(16)).profile();
    EXPECT_GT(whole.token_hit_rate, 0.1);
    EXPECT_GT(whole.lru[0].token_hit_rate, 0);
    Random random(seed + 100);
    const std::uint64_t memory = SharingSummary::default_memory_bytes;
    expect_equal_sharing(merged(cut(rows, 5, [&](std::size_t) { return random.below(5); }), memory).profile(), whole);
    expect_equal_sharing(merged(cut(rows, 3, [](std::size_t i) { return i / 701; }), memory).profile(), whole);
  }
}

TEST(SharingSummary, RowsOfOneInstantCountInTheOrderOfTheParts) {
  const std::vector<SharedRow> rows = conversations(5, {.requests = 2000, .most_same_arrivals = 20});
  Random random(6);
  const auto parts = cut(rows, 4, [&](std::size_t) { return random.below(4); });
  SharingSummary one_after_another;
  for (const std::vector<SharedRow>& part : parts) {
    for (const SharedRow& row : part) one_after_another.add(row.row, row.ids);
  }
  one_after_another.end_source(facts_of_blocks(16));
  const PrefixProfile of_parts = merged(parts, SharingSummary::default_memory_bytes).profile();
  expect_equal_sharing(of_parts, one_after_another.profile());
  std::set<Nanos> before;
  std::uint64_t ties = 0;
  for (const std::vector<SharedRow>& part : parts) {
    for (const SharedRow& row : part) ties += before.contains(row.row.arrival) ? 1 : 0;
    for (const SharedRow& row : part) before.insert(row.row.arrival);
  }
  ASSERT_GT(ties, 100u);
  ASSERT_EQ(of_parts.remarks.size(), 1u);
  EXPECT_EQ(of_parts.remarks[0].find(std::to_string(ties) + " requests have the arrival of one in another file"), 0u);
  EXPECT_TRUE(one_after_another.profile().remarks.empty());
  const auto in_order = cut(rows, 2, [&](std::size_t i) { return rows[i].row.arrival > rows[1000].row.arrival; });
  EXPECT_TRUE(merged(in_order, SharingSummary::default_memory_bytes).profile().remarks.empty());
}

TEST(SharingSummary, OneRowThatIsLargerThanTheMemoryIsSampledToo) {
  SharedRow row;
  for (std::uint64_t id = 0; id < 200'000; ++id) row.ids.push_back(id);
  row.row.prompt = Tokens(200'000 * 16);
  const PrefixProfile found = sharing_of_rows({row, row}, facts_of_blocks(16), small_memory).profile();
  EXPECT_LT(found.lru_sampled_share, 0.25);
  EXPECT_EQ(found.blocks, 400'000u);
  EXPECT_NEAR(static_cast<double>(found.unique_blocks), 200'000, 12'000);
  EXPECT_NEAR(found.token_hit_rate, 0.5, 0.03);
  EXPECT_TRUE(found.remarks.empty());
}

constexpr ConversationShape large{.requests = 30'000, .conversations = 500, .longest_growth = 16, .beginnings = 40};

TEST(SharingSummary, BeyondMemoryASampleTellsWithinItsError) {
  double errors = 0, deviations = 0;
  for (const std::uint64_t seed : {11, 12, 13}) {
    const std::vector<SharedRow> rows = conversations(seed, large);
    const PrefixProfile exact = sharing_of_rows(rows, facts_of_blocks(16)).profile();
    const PrefixProfile sampled = sharing_of_rows(rows, facts_of_blocks(16), small_memory).profile();
    EXPECT_EQ(exact.lru_sampled_share, 1);
    EXPECT_FALSE(exact.lru_error);
    EXPECT_FALSE(exact.hit_rate_error);
    ASSERT_LT(sampled.lru_sampled_share, 0.1);
    ASSERT_TRUE(sampled.lru_error && sampled.hit_rate_error);
    EXPECT_LT(*sampled.lru_error, 0.03);
    EXPECT_LT(*sampled.hit_rate_error, 0.03);
    EXPECT_EQ(sampled.blocks, exact.blocks);
    EXPECT_NEAR(static_cast<double>(sampled.unique_blocks) / static_cast<double>(exact.unique_blocks), 1, 0.06);
    const double bound = 4 * *sampled.hit_rate_error;
    EXPECT_NEAR(sampled.token_hit_rate, exact.token_hit_rate, bound);
    EXPECT_NEAR(sampled.token_hit_rate_full_blocks, exact.token_hit_rate_full_blocks, bound);
    EXPECT_NEAR(sampled.token_hit_rate_beyond_first_block, exact.token_hit_rate_beyond_first_block, bound);
    EXPECT_NEAR(sampled.request_hit_rate_mean, exact.request_hit_rate_mean, bound);
    EXPECT_NEAR(sampled.requests_with_hit, exact.requests_with_hit, bound);
    EXPECT_NEAR(sampled.requests_with_two_blocks, exact.requests_with_two_blocks, bound);
    for (std::size_t i = 0; i < exact.lru.size(); ++i) {
      EXPECT_NEAR(sampled.lru[i].token_hit_rate, exact.lru[i].token_hit_rate, 4 * *sampled.lru_error) << i;
      deviations += std::abs(sampled.lru[i].token_hit_rate - exact.lru[i].token_hit_rate);
      errors += *sampled.lru_error;
    }
  }
  EXPECT_GT(deviations, errors / 100);  // the error is not a number that is always large enough
}

TEST(SharingSummary, PartsOfASampleMergeIntoTheSampleOfTheWhole) {
  const std::vector<SharedRow> rows = conversations(21, large);
  const PrefixProfile whole = sharing_of_rows(rows, facts_of_blocks(16), small_memory).profile();
  Random random(22);
  const auto by_row = cut(rows, 7, [&](std::size_t) { return random.below(7); });
  const auto by_time = cut(rows, 3, [](std::size_t i) { return i < 500 ? 0 : i < 25'000 ? 1 : 2; });
  expect_equal_sharing(merged(by_row, small_memory).profile(), whole);
  expect_equal_sharing(merged(by_time, small_memory).profile(), whole);
}

TEST(SharingSummary, APartIsReadInTheMemoryGiven) {
  const std::vector<SharedRow> rows = conversations(23, large);
  const SharingSummary in_full = sharing_of_rows(rows, facts_of_blocks(16));
  ASSERT_EQ(in_full.profile().lru_sampled_share, 1);
  expect_equal_sharing(through_a_part(in_full, small_memory).profile(),
                       sharing_of_rows(rows, facts_of_blocks(16), small_memory).profile());
}

TEST(SharingSummary, IdsThatAreNotChainedAreWalkedAndNamed) {
  Random random(31);
  std::vector<SharedRow> rows;
  for (int i = 0; i < 400; ++i) {
    SharedRow& row = rows.emplace_back();
    for (std::uint64_t left = 1 + random.below(6); left > 0; --left) row.ids.push_back(random.below(300));
    row.row.prompt = Tokens(static_cast<std::int64_t>(row.ids.size()) * 16);
    row.row.arrival = Nanos(i);
  }
  std::set<std::uint64_t> seen;
  std::int64_t hit = 0, prompt = 0;
  for (const SharedRow& row : rows) {
    const auto end = std::ranges::find_if(row.ids, [&](std::uint64_t id) { return !seen.contains(id); });
    hit += (end - row.ids.begin()) * 16;
    prompt += row.row.prompt.value();
    seen.insert(row.ids.begin(), row.ids.end());
  }
  const PrefixProfile found = sharing_of_rows(rows, facts_of_blocks(16)).profile();
  EXPECT_DOUBLE_EQ(found.token_hit_rate, static_cast<double>(hit) / static_cast<double>(prompt));
  ASSERT_EQ(found.remarks.size(), 1u);
  EXPECT_NE(found.remarks[0].find("not chained"), std::string::npos);
  EXPECT_TRUE(sharing_of_rows(conversations(1, {}), facts_of_blocks(16)).profile().remarks.empty());
  EXPECT_FALSE(sharing_of_rows(rows, facts_of_blocks(16)).inferred_sessions());
}

SharedRow session_row(std::int64_t arrival, SessionIndex session, std::int64_t prompt) {
  SharedRow row;
  row.row.arrival = Nanos(arrival);
  row.row.session = session;
  row.row.prompt = Tokens(prompt);
  return row;
}

Trace facts_of_sessions(const std::vector<std::string>& names) {
  Trace facts;
  facts.sharing = SharingOrigin::sessions;
  facts.sessions = names;
  return facts;
}

TEST(SharingSummary, SessionsAreOneAcrossFilesByName) {
  SharingSummary first = sharing_of_rows(
      {session_row(1, 0, 100), session_row(3, 1, 50), session_row(5, no_session, 10)}, facts_of_sessions({"a", "b"}));
  const SharingSummary second =
      sharing_of_rows({session_row(4, 0, 200), session_row(2, 1, 150)}, facts_of_sessions({"b", "a"}));
  first.merge(through_a_part(second, SharingSummary::default_memory_bytes));
  // a: 100, 150; b: 50, 200.
  const PrefixProfile found = first.profile();
  EXPECT_DOUBLE_EQ(found.token_hit_rate, 150.0 / 510);
  EXPECT_DOUBLE_EQ(found.request_hit_rate_mean, (100.0 / 150 + 50.0 / 200) / 5);
  EXPECT_DOUBLE_EQ(found.requests_with_hit, 2.0 / 5);
  SharingSummary nameless = sharing_of_rows({session_row(1, 0, 100)}, facts_of_sessions({}));
  nameless.merge(sharing_of_rows({session_row(2, 0, 100)}, facts_of_sessions({})));
  EXPECT_EQ(nameless.profile().token_hit_rate, 0);
}

TEST(SharingSummary, BeyondMemorySessionsAreSampled) {
  Random random(41);
  std::vector<SharedRow> rows;
  std::vector<std::int64_t> prompts(5000, 0);
  std::vector<std::string> names;
  for (int i = 0; i < 5000; ++i) names.push_back("chat " + std::to_string(i));
  for (int i = 0; i < 40'000; ++i) {
    const std::uint64_t session = random.below(prompts.size());
    prompts[session] += 1 + static_cast<std::int64_t>(random.below(500));
    rows.push_back(session_row(i, static_cast<SessionIndex>(session), prompts[session]));
  }
  const Trace facts = facts_of_sessions(names);
  const PrefixProfile exact = sharing_of_rows(rows, facts).profile();
  const PrefixProfile sampled = sharing_of_rows(rows, facts, 500'000).profile();
  EXPECT_FALSE(exact.hit_rate_error);
  EXPECT_LE(sampled.lru_sampled_share, 0.25);
  EXPECT_LT(*sampled.hit_rate_error, 0.05);
  EXPECT_NEAR(sampled.token_hit_rate, exact.token_hit_rate, 4 * *sampled.hit_rate_error);
  EXPECT_NE(sampled.token_hit_rate, exact.token_hit_rate);
  const auto parts = cut(rows, 4, [&](std::size_t i) { return i % 4; });
  SharingSummary whole(500'000);
  for (const auto& part : parts) whole.merge(through_a_part(sharing_of_rows(part, facts, 500'000), 500'000));
  EXPECT_EQ(whole.profile().token_hit_rate, sampled.token_hit_rate);
}

TEST(SharingSummary, CachedCountsAddUp) {
  SharedRow known = session_row(1, no_session, 100), unknown = session_row(2, no_session, 1000);
  known.row.cached = Tokens(50);
  Trace facts;
  facts.sharing = SharingOrigin::cached_counts;
  SharingSummary summary = sharing_of_rows({known, unknown}, facts);
  known.row.cached = Tokens(0);
  summary.merge(through_a_part(sharing_of_rows({known}, facts), SharingSummary::default_memory_bytes));
  EXPECT_DOUBLE_EQ(summary.profile().token_hit_rate, 0.25);
  EXPECT_DOUBLE_EQ(summary.profile().requests_with_hit, 0.5);
}

TEST(SharingSummary, BlocksOfTwoSizesAreRefusedAndMixedOriginsNamed) {
  SharingSummary summary = sharing_of_rows(conversations(1, {.requests = 3}), facts_of_blocks(16));
  EXPECT_THROW(summary.merge(sharing_of_rows(conversations(2, {.requests = 3}), facts_of_blocks(64))), Error);
  summary.merge(sharing_of_rows({session_row(1, no_session, 7)}, Trace{}));
  EXPECT_EQ(summary.origin(), SharingOrigin::hashed);
  ASSERT_EQ(summary.profile().remarks.size(), 1u);
  EXPECT_EQ(sharing_of_rows({session_row(1, no_session, 7)}, Trace{}).origin(), SharingOrigin::unknown);
}

std::string message_of_part(const std::string& bytes) {
  std::stringstream file(bytes);
  try {
    SharingSummary::read(file, "log.part");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(SharingSummary, ForeignCutDamagedAndNewerPartsAreRefused) {
  std::stringstream file;
  sharing_of_rows(conversations(1, {.requests = 30}), facts_of_blocks(16)).write(file);
  const std::string bytes = file.str();
  EXPECT_EQ(message_of_part(bytes), "");
  EXPECT_NE(message_of_part("{\"timestamp\": 1}").find("log.part is no part"), std::string::npos);
  for (std::size_t length = 8; length < bytes.size(); ++length) {
    EXPECT_NE(message_of_part(bytes.substr(0, length)).find("log.part ends too early"), std::string::npos) << length;
  }
  for (std::size_t at = 9; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    EXPECT_NE(message_of_part(damaged), "") << at;
  }
  std::string newer = bytes;
  newer[8] = 3;
  EXPECT_NE(message_of_part(newer).find("newer loadline"), std::string::npos);
}

TEST(ReuseOrder, AgreesWithAListOverManyLines) {
  constexpr std::uint32_t blocks = 300, uses = 4000;
  ReuseOrder order(blocks, uses);
  Random random(51);
  std::vector<std::uint32_t> recent;  // the latest last
  for (std::uint32_t i = 0; i < uses; ++i) {
    const auto block = static_cast<std::uint32_t>(std::min(random.below(blocks), random.below(blocks)));
    const auto at = std::ranges::find(recent, block);
    const auto expected = static_cast<std::uint64_t>(at == recent.end() ? 0 : recent.end() - at);
    ASSERT_EQ(order.rank(block), expected) << i;
    if (at != recent.end()) recent.erase(at);
    recent.push_back(block);
    order.use(block);
    ASSERT_EQ(order.last_use(block), i + 1);
  }
}

}  // namespace
}  // namespace loadline
