#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "prefix/sharing_logs_test.h"

namespace loadline {
namespace {

SharedRow chained(std::int64_t prompt, const std::vector<std::uint64_t>& ids) {
  SharedRow row;
  row.row.prompt = Tokens(prompt);
  row.ids = ids;
  return row;
}

TEST(InferredSessions, ByHand) {
  const SessionStats sessions = *sharing_of_rows(
                                     {
                                         chained(40, {1, 2, 3, 4}),           // begins a session
                                         chained(55, {1, 2, 3, 4, 5, 6}),     // goes on: 40 tokens are four full blocks
                                         chained(65, {1, 2, 3, 4, 5, 7, 8}),  // five full blocks of it: goes on
                                         chained(30, {1, 9, 10}),             // only the first block alike
                                         chained(20, {1, 9}),                 // shorter than the one before
                                         chained(35, {1, 9, 10, 11}),         // goes on behind the row of 30
                                         chained(7, {}),                      // no block at all
                                     },
                                     facts_of_blocks(10))
                                     .inferred_sessions();
  EXPECT_FALSE(sessions.declared);
  EXPECT_EQ(sessions.count, 4u);  // of 3, 2, 1 and 1 turns
  EXPECT_EQ(sessions.turns.max, 3);
  EXPECT_DOUBLE_EQ(sessions.turns.mean, 7.0 / 4);
  EXPECT_DOUBLE_EQ(sessions.single_turn_share, 0.5);
  EXPECT_FALSE(sessions.think_time_p50_s);
}

TEST(InferredSessions, ABlockThatAllShareDoesNotCount) {
  const std::vector<SharedRow> rows{chained(20, {1, 2}), chained(30, {1, 2, 3})};
  EXPECT_EQ(sharing_of_rows(rows, facts_of_blocks(10)).inferred_sessions()->count, 2u);
  std::vector<SharedRow> others = rows;
  others.push_back(chained(10, {4}));
  EXPECT_EQ(sharing_of_rows(others, facts_of_blocks(10)).inferred_sessions()->count, 2u);
}

/// Compares each request with all before it.
std::map<std::size_t, std::int64_t> slowly_inferred_turns(const std::vector<SharedRow>& rows, std::size_t needed) {
  std::vector<std::size_t> session(rows.size());
  std::map<std::size_t, std::int64_t> turns;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    session[i] = i;
    for (std::size_t before = i; before-- > 0;) {
      const auto full = static_cast<std::size_t>(rows[before].row.prompt.value() / 16);
      const std::vector<std::uint64_t>&ids = rows[i].ids, &old = rows[before].ids;
      if (full < needed || full > ids.size() ||
          !std::equal(old.begin(), old.begin() + static_cast<std::ptrdiff_t>(full), ids.begin()))
        continue;
      session[i] = session[before];
      break;
    }
    ++turns[session[i]];
  }
  return turns;
}

TEST(InferredSessions, AgreeWithASlowSearch) {
  for (const std::uint64_t beginnings : {1, 5}) {
    const std::vector<SharedRow> rows =
        conversations(beginnings, {.requests = 500, .conversations = 30, .beginnings = beginnings});
    const auto expected = slowly_inferred_turns(rows, beginnings == 1 ? 3 : 2);
    const SessionStats found = *sharing_of_rows(rows, facts_of_blocks(16)).inferred_sessions();
    EXPECT_EQ(found.count, expected.size());
    std::vector<std::int64_t> turns;
    for (const auto& [session, count] : expected) turns.push_back(count);
    const LengthSummary summary = summarise_lengths(turns);
    EXPECT_GT(summary.max, 3);
    EXPECT_EQ(found.turns.max, summary.max);
    EXPECT_EQ(found.turns.p50, summary.p50);
    EXPECT_EQ(found.turns.mean, summary.mean);
  }
}

TEST(InferredSessions, AbsentWhereBlocksAreSampled) {
  const std::vector<SharedRow> rows = conversations(3, {.requests = 4000, .longest_growth = 10});
  EXPECT_TRUE(sharing_of_rows(rows, facts_of_blocks(16)).inferred_sessions());
  EXPECT_FALSE(sharing_of_rows(rows, facts_of_blocks(16), 300'000).inferred_sessions());
}

}  // namespace
}  // namespace loadline
