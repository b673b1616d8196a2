#include "prefix/profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <list>
#include <set>
#include <string>

#include "core/random.h"
#include "prefix/block_index.h"
#include "prefix/reuse_order.h"

namespace loadline {
namespace {

void add_row(Trace& trace, std::int64_t prompt, const std::vector<std::uint64_t>& ids) {
  TraceRow& row = trace.rows.emplace_back();
  row.prompt = Tokens(prompt);
  row.completion = Tokens(1);
  row.first_block = trace.blocks.size();
  row.block_count = static_cast<std::uint32_t>(ids.size());
  trace.blocks.insert(trace.blocks.end(), ids.begin(), ids.end());
}

Trace hashed_trace(std::uint32_t block_size) {
  Trace trace;
  trace.block_size = block_size;
  trace.sharing = SharingOrigin::hashed;
  return trace;
}

/// The slow oracle: a list of ids, the most recent first.
double naive_lru_rate(const Trace& trace, std::uint64_t capacity) {
  std::list<std::uint64_t> cache;
  double hit_tokens = 0, prompt_tokens = 0;
  for (const TraceRow& row : trace.rows) {
    std::int64_t leading = 0;
    const auto id = [&](std::uint32_t i) { return trace.blocks[row.first_block + i]; };
    while (leading < row.block_count &&
           std::find(cache.begin(), cache.end(), id(static_cast<std::uint32_t>(leading))) != cache.end())
      ++leading;
    hit_tokens += static_cast<double>(std::min(leading * trace.block_size, row.prompt.value()));
    prompt_tokens += static_cast<double>(row.prompt.value());
    for (std::uint32_t i = 0; i < row.block_count; ++i) {
      cache.remove(id(i));
      cache.push_front(id(i));
      if (cache.size() > capacity) cache.pop_back();
    }
  }
  return hit_tokens / prompt_tokens;
}

/// Conversations that grow, some of them starting alike.
Trace random_conversations(std::uint64_t seed, int requests) {
  Random random(seed);
  Trace trace = hashed_trace(16);
  std::vector<std::vector<std::uint64_t>> chains(20);
  std::uint64_t next_id = 1'000'000'000'000;
  for (int i = 0; i < requests; ++i) {
    std::vector<std::uint64_t>& chain = chains[random.below(chains.size())];
    if (chain.empty() || random.below(10) == 0) chain = {random.below(3)};
    for (std::uint64_t added = random.below(4); added > 0; --added) chain.push_back(next_id++);
    add_row(trace, static_cast<std::int64_t>(chain.size() * 16 - random.below(16)), chain);
  }
  return trace;
}

TEST(PrefixProfile, ByHand) {
  Trace trace = hashed_trace(10);
  add_row(trace, 25, {1, 2, 3});     // nothing seen
  add_row(trace, 25, {1, 2, 3});     // 25 of 25, of it 20 in full blocks, 15 beyond the first
  add_row(trace, 40, {1, 2, 4, 5});  // 20
  add_row(trace, 7, {1});            // 7, none in full blocks, none beyond the first
  add_row(trace, 30, {9, 2, 3});     // a new beginning: nothing, though 2 and 3 were seen
  const PrefixProfile found = profile(trace);
  EXPECT_EQ(found.origin, SharingOrigin::hashed);
  EXPECT_EQ(found.block_size, 10u);
  EXPECT_EQ(found.blocks, 14u);
  EXPECT_EQ(found.unique_blocks, 6u);
  EXPECT_EQ(found.roots, 2u);
  EXPECT_DOUBLE_EQ(found.token_hit_rate, 52.0 / 127);
  EXPECT_DOUBLE_EQ(found.token_hit_rate_full_blocks, 40.0 / 127);
  EXPECT_DOUBLE_EQ(found.token_hit_rate_beyond_first_block, 25.0 / 127);
  EXPECT_DOUBLE_EQ(found.request_hit_rate_mean, (0 + 1 + 0.5 + 1 + 0) / 5);
  EXPECT_DOUBLE_EQ(found.requests_with_hit, 3.0 / 5);
  EXPECT_DOUBLE_EQ(found.requests_with_two_blocks, 2.0 / 5);
  ASSERT_EQ(found.lru.size(), 5u);
  EXPECT_EQ(found.lru[4].capacity_blocks, 3u);
  EXPECT_EQ(found.lru[0].capacity_blocks, 0u);
  EXPECT_EQ(found.lru[0].token_hit_rate, 0);
  // Three blocks: 25 of the second request, 20 of the third; then 2, 4, 5 are held and 1 is gone.
  EXPECT_DOUBLE_EQ(found.lru[4].token_hit_rate, 45.0 / 127);
}

TEST(PrefixProfile, LruAgreesWithANaiveCache) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Trace trace = random_conversations(seed, 600);
    const PrefixProfile found = profile(trace);
    for (const PrefixProfile::LruPoint& point : found.lru) {
      EXPECT_NEAR(point.token_hit_rate, naive_lru_rate(trace, point.capacity_blocks), 1e-12)
          << seed << " " << point.capacity_fraction;
    }
    EXPECT_LE(found.lru[0].token_hit_rate, found.lru[4].token_hit_rate);
    EXPECT_LE(found.lru[4].token_hit_rate, found.token_hit_rate);
    EXPECT_GT(found.lru[4].token_hit_rate, 0);
  }
}

TEST(PrefixProfile, WithoutSharingNothingHits) {
  Trace trace = hashed_trace(16);
  add_row(trace, 32, {1, 2});
  add_row(trace, 5, {});  // a dropped tail: shorter than a block
  const PrefixProfile found = profile(trace);
  EXPECT_EQ(found.token_hit_rate, 0);
  EXPECT_EQ(found.requests_with_hit, 0);
  EXPECT_EQ(found.roots, 1u);
}

TEST(PrefixProfile, OfCachedCounts) {
  Trace trace;
  trace.sharing = SharingOrigin::cached_counts;
  add_row(trace, 100, {});
  add_row(trace, 100, {});
  add_row(trace, 1000, {});  // unknown: in no sum
  trace.rows[0].cached = Tokens(0);
  trace.rows[1].cached = Tokens(50);
  const PrefixProfile found = profile(trace);
  EXPECT_DOUBLE_EQ(found.token_hit_rate, 0.25);
  EXPECT_DOUBLE_EQ(found.requests_with_hit, 0.5);
  EXPECT_EQ(found.block_size, 0u);
  EXPECT_TRUE(found.lru.empty());
}

TEST(PrefixProfile, OfSessions) {
  Trace trace;
  trace.sharing = SharingOrigin::sessions;
  for (const std::int64_t prompt : {100, 150, 120, 40}) add_row(trace, prompt, {});
  for (const std::size_t row : {0, 1, 2}) trace.rows[row].session = 0;
  const PrefixProfile found = profile(trace);
  EXPECT_DOUBLE_EQ(found.token_hit_rate, 100.0 / 410);  // the third turn is shorter than the second
  EXPECT_DOUBLE_EQ(found.requests_with_hit, 0.25);
  Trace unknown;
  add_row(unknown, 10, {});
  EXPECT_EQ(profile(unknown).origin, SharingOrigin::unknown);
}

TEST(BlockIndex, NumbersInOrderOfFirstSight) {
  BlockIndex index;
  Random random(5);
  std::vector<std::uint64_t> ids{0, 18446744073709551615u};
  for (int i = 0; i < 5000; ++i) ids.push_back(random.next());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    EXPECT_TRUE(index.number_of(ids[i]).is_new);
    EXPECT_EQ(index.size(), i + 1);
  }
  for (std::size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(index.number_of(ids[i]).number, i);
}

TEST(ReuseOrder, RanksAreStackDistances) {
  ReuseOrder order(4, 5);
  EXPECT_EQ(order.rank(0), 0u);
  for (const std::uint32_t block : {0u, 1u, 2u, 1u, 0u}) order.use(block);
  EXPECT_EQ(order.rank(0), 1u);
  EXPECT_EQ(order.rank(1), 2u);
  EXPECT_EQ(order.rank(2), 3u);
  EXPECT_EQ(order.rank(3), 0u);
}

/// The number behind `key` in a line of the file.
std::int64_t number_behind(const std::string& line, const std::string& key) {
  return std::atoll(line.c_str() + line.find("\"" + key + "\":") + key.size() + 3);
}

Trace read_mooncake_simply(const std::string& path) {
  std::ifstream file(path);
  Trace trace = hashed_trace(512);
  for (std::string line; std::getline(file, line);) {
    std::vector<std::uint64_t> ids;
    for (const char* at = line.c_str() + line.find('['); *at != ']' && *at != '\0';) {
      char* end = nullptr;
      ids.push_back(std::strtoull(at + 1, &end, 10));
      at = end;
    }
    add_row(trace, number_behind(line, "input_length"), ids);
  }
  return trace;
}

TEST(RealPrefix, MooncakeConversation) {
  const char* const folder = std::getenv("LOADLINE_SHARED");
  if (!folder) GTEST_SKIP() << "LOADLINE_SHARED is not set: mooncake_conversation.jsonl is not at hand";
  const Trace trace = read_mooncake_simply(std::string(folder) + "/traces/mooncake_conversation.jsonl");
  ASSERT_EQ(trace.rows.size(), 12031u);
  std::set<std::uint64_t> seen;
  std::int64_t hit_tokens = 0, prompt_tokens = 0;
  for (const TraceRow& row : trace.rows) {
    std::int64_t leading = 0;
    while (leading < row.block_count &&
           seen.contains(trace.blocks[row.first_block + static_cast<std::uint64_t>(leading)]))
      ++leading;
    for (std::uint32_t i = 0; i < row.block_count; ++i) seen.insert(trace.blocks[row.first_block + i]);
    hit_tokens += std::min(leading * 512, row.prompt.value());
    prompt_tokens += row.prompt.value();
  }
  const PrefixProfile found = profile(trace);
  EXPECT_NEAR(found.token_hit_rate, 0.374, 0.0005);
  EXPECT_DOUBLE_EQ(found.token_hit_rate, static_cast<double>(hit_tokens) / static_cast<double>(prompt_tokens));
  EXPECT_EQ(found.blocks, 288500u);
  EXPECT_EQ(found.unique_blocks, seen.size());
  EXPECT_EQ(found.roots, 1u);  // all start alike
  EXPECT_NEAR(found.requests_with_hit, 12030.0 / 12031, 1e-12);
  EXPECT_EQ(found.lru[2].capacity_blocks, 18279u);
  EXPECT_NEAR(found.lru[2].token_hit_rate, 0.28388686857173456, 1e-9);  // an ordered dictionary as the cache
}

}  // namespace
}  // namespace loadline
