#include "trace/trace_builder.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "trace/refusal.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;

ReadRow counted_row(Nanos time, std::int64_t prompt, std::int64_t completion) {
  ReadRow row;
  row.time = time;
  row.prompt = Tokens(prompt);
  row.completion = Tokens(completion);
  return row;
}

TraceBuilder timed_builder(const BuilderSettings& settings = {}) {
  TraceBuilder builder(settings);
  builder.trace().format = "test";
  builder.trace().source = "log";
  builder.trace().has_times = true;
  return builder;
}

std::string letters(char letter, std::size_t count) { return std::string(count, letter); }

class CollectingSink final : public RowSink {
 public:
  void take(const TraceRow& row, const RowDetail&, std::span<const std::uint64_t> ids) override {
    rows.push_back(row);
    blocks.emplace_back(ids.begin(), ids.end());
  }
  void take_pause(Nanos pause) override { pauses.push_back(pause); }
  void end_source(const Trace& given) override { facts = given; }
  std::vector<Nanos> pauses;
  std::vector<TraceRow> rows;
  std::vector<std::vector<std::uint64_t>> blocks;
  Trace facts;
};

TEST(TraceBuilder, ARowThatLacksSomethingIsRefusedByItsName) {
  TraceBuilder builder = timed_builder();
  ReadRow row = counted_row(1s, 10, 5);
  const auto add = [&](auto change, std::uint64_t line) {
    ReadRow changed = row;
    change(changed);
    builder.begin_row();
    builder.add(changed, line);
  };
  add([](ReadRow& r) { r.prompt = Tokens(0); }, 1);
  add([](ReadRow& r) { r.completion = Tokens(0); }, 2);
  add([](ReadRow& r) { r.prompt.reset(); }, 3);
  add([](ReadRow& r) { r.completion.reset(); }, 4);
  add([](ReadRow& r) { r.time.reset(); }, 5);
  add([](ReadRow&) {}, 6);
  const Trace trace = builder.finish();
  EXPECT_EQ(trace.read, 6u);
  EXPECT_EQ(trace.rows.size(), 1u);
  for (const auto& [reason, line] :
       {std::pair{refusal::prompt_zero, 1u}, std::pair{refusal::completion_zero, 2u},
        std::pair{refusal::no_prompt_length, 3u}, std::pair{refusal::no_completion_length, 4u},
        std::pair{refusal::bad_timestamp, 5u}}) {
    ASSERT_TRUE(trace.refused.contains(std::string(reason))) << reason;
    EXPECT_EQ(trace.refused.at(std::string(reason)).first_lines, std::vector<std::uint64_t>{line}) << reason;
  }
}

TEST(TraceBuilder, ATurnWithOnlyAPauseComesBehindItsTurnBefore) {
  TraceBuilder builder = timed_builder();
  ReadRow first = counted_row(5s, 10, 5), other = counted_row(6s, 7, 7), turn = counted_row(0s, 20, 5);
  first.session = turn.session = builder.session("a");
  turn.time.reset();
  turn.detail.delay = 2s;
  builder.add(first, 1);
  builder.add(turn, 2);
  builder.add(other, 3);
  ReadRow orphan = turn;
  orphan.session = builder.session("b");  // no turn before it
  builder.add(orphan, 4);
  const Trace trace = builder.finish();
  ASSERT_EQ(trace.rows.size(), 3u);
  EXPECT_EQ(trace.rows[1].prompt, Tokens(7));
  EXPECT_EQ(trace.rows[2].prompt, Tokens(20));
  EXPECT_FALSE(trace.rows[2].arrival_known);
  EXPECT_EQ(trace.rows[2].turn, 1u);
  EXPECT_EQ(trace.details[2].delay, Nanos(2s));
  EXPECT_EQ(trace.refused.at("bad_timestamp").count, 1u);
}

TEST(TraceBuilder, CharactersBecomeTokensByTheRowsThatHaveBoth) {
  TraceBuilder builder = timed_builder();
  ReadRow both = counted_row(1s, 100, 30);
  both.prompt_characters = 400;
  both.completion_characters = 90;
  ReadRow bare;
  bare.time = 2s;
  bare.prompt_characters = 1002;
  bare.completion_characters = 10;
  builder.add(both, 1);
  builder.add(bare, 2);
  const Trace trace = builder.finish();
  EXPECT_EQ(trace.rows[1].prompt, Tokens(251));    // 1002 * 100 / 400 = 250.5
  EXPECT_EQ(trace.rows[1].completion, Tokens(3));  // 10 * 30 / 90
  EXPECT_EQ(trace.rows[0].prompt, Tokens(100));
  EXPECT_TRUE(trace.tokens_estimated);
  EXPECT_DOUBLE_EQ(*trace.tokens_per_character, 0.25);
}

TEST(TraceBuilder, TheUsersRatioGoesFirstAndWithoutAnyThereIsAnError) {
  ReadRow bare;
  bare.time = 2s;
  bare.prompt_characters = 1000;
  bare.completion_unknown = true;
  TraceBuilder with = timed_builder({nullptr, nullptr, false, 0.5}), without = timed_builder();
  with.add(bare, 1);
  without.add(bare, 1);
  const Trace trace = with.finish();
  EXPECT_EQ(trace.rows[0].prompt, Tokens(500));
  EXPECT_EQ(trace.rows[0].completion, Tokens(0));
  EXPECT_TRUE(trace.tokens_estimated);
  EXPECT_THROW(without.finish(), Error);
  TraceBuilder sent = timed_builder({nullptr, nullptr, true, {}});
  sent.add(bare, 1);
  EXPECT_EQ(sent.finish().rows[0].prompt, Tokens(0)) << "the target counts what it is sent";
}

TEST(TraceBuilder, TextsThatBeginAlikeShareTheirFirstBlocks) {
  TraceBuilder builder = timed_builder();
  const auto add = [&](Nanos time, const std::string& text, std::int64_t prompt) {
    builder.begin_row();
    builder.add_text(text.substr(0, 100));
    builder.add_text(text.substr(100));
    builder.add(counted_row(time, prompt, 5), 1);
  };
  add(1s, letters('a', 256) + letters('b', 130), 96);  // 386 bytes: 4 bytes a token, blocks of 32 tokens
  add(2s, letters('a', 256) + letters('c', 130), 97);
  add(3s, letters('c', 256) + letters('a', 130), 97);
  const Trace trace = builder.finish();
  EXPECT_EQ(trace.sharing, SharingOrigin::hashed);
  EXPECT_EQ(trace.block_size, 32u);
  EXPECT_FALSE(trace.partial_tail);
  EXPECT_EQ(trace.blocks, (std::vector<std::uint64_t>{0, 1, 2, 0, 1, 3, 4, 5, 6}));
  for (const TraceRow& row : trace.rows) EXPECT_EQ(row.block_count, row.prompt.value() / 32);
  EXPECT_TRUE(trace.texts.empty());
}

TEST(TraceBuilder, IdsOfTextDoNotDependOnTheKey) {
  const auto ids_of_import = [] {
    TraceBuilder builder = timed_builder();
    for (const char letter : {'x', 'y', 'x'}) {
      builder.begin_row();
      builder.add_text(letters(letter, 300));
      builder.add(counted_row(1s, 75, 5), 1);
    }
    return builder.finish().blocks;
  };
  EXPECT_EQ(ids_of_import(), ids_of_import());
}

TEST(TraceBuilder, TextIsKeptOnlyWhereTheRunSendsIt) {
  TraceBuilder builder = timed_builder({nullptr, nullptr, true, {}});
  builder.begin_row();
  builder.add_text("a question");
  builder.add(counted_row(2s, 3, 5), 1);
  builder.begin_row();
  builder.add_message("user", "hello");
  builder.keep_messages(R"([{"role":"user","content":"hello"}])");
  builder.add(counted_row(1s, 4, 5), 2);
  const Trace trace = builder.finish();
  ASSERT_EQ(trace.texts.size(), 2u);
  EXPECT_TRUE(trace.texts[0].is_messages);
  EXPECT_EQ(trace.texts[0].text, R"([{"role":"user","content":"hello"}])");
  EXPECT_EQ(trace.texts[1].text, "a question");
}

TEST(TraceBuilder, FilesOfOneLogComeTogether) {
  TraceBuilder one = timed_builder(), two = timed_builder();
  ReadRow row = counted_row(5s, 10, 5);
  row.session = one.session("late");
  one.add(row, 1);
  one.refuse(refusal::malformed, 2);
  row = counted_row(3s, 20, 5);
  two.session("unused");
  row.session = two.session("early");
  row.detail.status = 200;
  two.add(row, 1);
  row.session = two.session("late");
  row.time = 9s;
  two.add(row, 2);
  two.refuse(refusal::malformed, 7);
  one.append(std::move(two));
  const Trace trace = one.finish();
  ASSERT_EQ(trace.rows.size(), 3u);
  EXPECT_EQ(trace.rows[0].prompt, Tokens(20));
  EXPECT_EQ(trace.sessions[trace.rows[0].session], "early");
  EXPECT_EQ(trace.rows[1].session, trace.rows[2].session);
  EXPECT_EQ(trace.rows[2].turn, 1u);
  EXPECT_EQ(trace.details[0].status, 200);
  EXPECT_FALSE(trace.details[1].status);
  EXPECT_EQ(trace.read, 5u);
  EXPECT_EQ(trace.refused.at("malformed").first_lines, (std::vector<std::uint64_t>{2, 7}));
}

TEST(TraceBuilder, ASinkGetsTheRowsAndNothingIsKept) {
  CollectingSink sink;
  TraceBuilder builder = timed_builder({nullptr, &sink, false, 0.25});
  for (int i = 0; i < 3; ++i) {
    builder.begin_row();
    builder.add_block(static_cast<std::uint64_t>(i));
    builder.add(counted_row(std::chrono::seconds(10 - i), 10 + i, 5), 1);
    EXPECT_TRUE(builder.trace().rows.empty());
  }
  ReadRow waits;
  waits.time = 4s;
  waits.prompt_characters = 400;
  waits.completion_characters = 8;
  builder.begin_row();
  builder.add(waits, 4);
  builder.refuse(refusal::malformed, 5);
  const Trace rest = builder.finish();
  EXPECT_TRUE(rest.rows.empty());
  ASSERT_EQ(sink.rows.size(), 4u);
  EXPECT_EQ(sink.rows[0].arrival, 10s);
  EXPECT_EQ(sink.blocks[2], std::vector<std::uint64_t>{2});
  EXPECT_EQ(sink.rows[3].prompt, Tokens(100));
  EXPECT_EQ(sink.facts.read, 5u);
  EXPECT_EQ(sink.facts.refused.at("malformed").count, 1u);
}

TEST(TraceBuilder, PausesLieBetweenTheEndOfATurnAndTheNext) {
  for (const bool to_sink : {false, true}) {
    CollectingSink sink;
    TraceBuilder builder = timed_builder({nullptr, to_sink ? &sink : nullptr, false, {}});
    const auto add = [&](const char* session, Nanos time, std::optional<Nanos> duration) {
      ReadRow row = counted_row(time, 10, 5);
      row.session = builder.session(session);
      row.duration = duration;
      builder.begin_row();
      builder.add(row, 1);
    };
    add("a", 20s, 2s);  // out of order: 3 s after the turn at 10 s has ended
    add("a", 10s, 7s);
    add("b", 11s, 9s);
    add("b", 15s, std::nullopt);  // while the turn before runs
    add("b", 30s, 1s);            // nobody knows when the turn before ended
    const Trace trace = builder.finish();
    if (to_sink) {
      EXPECT_EQ(sink.pauses, std::vector<Nanos>{3s});
      continue;
    }
    std::vector<std::optional<Nanos>> delays;
    for (const RowDetail& detail : trace.details) delays.push_back(detail.delay);
    EXPECT_EQ(delays, (std::vector<std::optional<Nanos>>{{}, {}, {}, 3s, {}}));
  }
}

TEST(TraceBuilder, WhatIsKnownOfSharing) {
  const auto origin = [](auto change) {
    TraceBuilder builder = timed_builder();
    ReadRow row = counted_row(1s, 10, 5);
    change(builder, row);
    builder.add(row, 1);
    return builder.finish().sharing;
  };
  EXPECT_EQ(origin([](TraceBuilder&, ReadRow&) {}), SharingOrigin::unknown);
  EXPECT_EQ(origin([](TraceBuilder& b, ReadRow& r) { r.session = b.session("s"); }), SharingOrigin::sessions);
  EXPECT_EQ(origin([](TraceBuilder& b, ReadRow& r) {
              r.session = b.session("s");
              r.cached = Tokens(0);
            }),
            SharingOrigin::cached_counts);
}

TEST(TraceBuilder, FilesThatAreCountedApartShareOnlyTheirTexts) {
  const TextKey key;
  const auto blocks_of = [&](char letter) {
    CollectingSink sink;
    TraceBuilder builder({&key, &sink});
    builder.begin_row();
    builder.add_text(letters(letter, 2 * TextBlocks::block_bytes));
    ReadRow row;
    row.prompt = Tokens(3 * TextBlocks::block_bytes);
    row.completion = Tokens(1);
    builder.add(row, 1);
    builder.begin_row();
    row.prompt = Tokens(1);  // a second text, so that a block has fewer tokens than the first row's text suggests
    builder.add_text(letters('z', 4 * TextBlocks::block_bytes));
    builder.add(row, 2);
    builder.finish();
    return sink.blocks.at(0);
  };
  const auto a = blocks_of('a'), again = blocks_of('a'), b = blocks_of('b');
  ASSERT_GT(a.size(), 2u);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i] == again[i], i < 2) << i;  // beyond the text the ids are the row's own
    for (const std::uint64_t other : b) EXPECT_NE(a[i], other) << i;
  }
}

TEST(TraceBuilder, OfTooManyBlocksOnlyThatIsKept) {
  TraceBuilder builder;
  builder.begin_row();
  for (std::uint64_t id = 0; id < 2 * most_row_blocks; ++id) builder.add_block(id);
  EXPECT_EQ(builder.block_count(), most_row_blocks + 1);
  ReadRow row;
  row.prompt = row.completion = Tokens(100);
  builder.add(row, 7);
  builder.begin_row();
  builder.add_block(1);
  builder.add(row, 8);
  const Trace trace = builder.finish();
  EXPECT_EQ(trace.refused.at("too_many_blocks").first_lines, std::vector<std::uint64_t>{7});
  EXPECT_EQ(trace.rows.size(), 1u);
  EXPECT_EQ(trace.blocks, std::vector<std::uint64_t>{1});
}

}  // namespace
}  // namespace loadline
