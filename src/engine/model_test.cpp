#include "engine/model.h"

#include <gtest/gtest.h>

#include <map>

#include "core/error.h"
#include "core/random.h"

namespace loadline {
namespace {

std::vector<EngineId> ids(std::span<const EngineId> span) { return {span.begin(), span.end()}; }
using Ids = std::vector<EngineId>;

EngineParameters tiny(std::int64_t kv_tokens, std::int64_t budget = 184) {
  EngineParameters p;
  p.kv_tokens = kv_tokens;
  p.token_budget = budget;
  return p;
}

/// Steps until nothing is left; tokens emitted by each id.
std::map<EngineId, int> run_out(EngineModel& model) {
  std::map<EngineId, int> emitted;
  while (!model.idle()) {
    const EngineStep& step = model.step();
    for (const EngineId id : step.started) ++emitted[id];
    for (const EngineId id : step.continued) ++emitted[id];
  }
  return emitted;
}

TEST(EngineModel, one_request_on_an_empty_engine) {
  EngineModel model{EngineParameters{}};
  model.submit(0, 100, 3);
  const EngineStep& step = model.step();
  EXPECT_EQ(step.duration, Nanos(6'247'500));
  EXPECT_EQ(step.tokens, 100);
  EXPECT_EQ(ids(step.started), Ids{0});
  EXPECT_EQ(ids(step.continued), Ids{});
  EXPECT_EQ(model.step().duration, Nanos(3'711'186));
  EXPECT_EQ(ids(step.continued), Ids{0});
  EXPECT_EQ(ids(step.ended), Ids{});
  EXPECT_EQ(model.step().duration, Nanos(3'711'192));
  EXPECT_EQ(ids(step.ended), Ids{0});
  EXPECT_TRUE(model.idle());
  EXPECT_EQ(model.kv_usage(), 0);
}

TEST(EngineModel, a_long_prompt_is_cut_by_the_budget_and_the_next_waits_for_what_is_left) {
  EngineModel model{EngineParameters{}};
  model.submit(0, 300, 2);
  model.submit(1, 100, 2);
  const EngineStep& step = model.step();
  EXPECT_EQ(step.tokens, 184);
  EXPECT_TRUE(step.started.empty());
  EXPECT_EQ(model.running(), 1u);
  model.step();  // 116 end the first prompt, 68 begin the second
  EXPECT_EQ(step.tokens, 184);
  EXPECT_EQ(ids(step.started), Ids{0});
  EXPECT_EQ(model.running(), 2u);
  model.step();  // one decode, the other 32
  EXPECT_EQ(step.tokens, 33);
  EXPECT_EQ(ids(step.started), Ids{1});
  EXPECT_EQ(ids(step.continued), Ids{0});
  // 1.7 ms + Tm (w + 301 of a decode + 68 prefilled) + 0.07 of Tc + two sequences
  EXPECT_EQ(step.duration, nanos(Seconds(1.7e-3 + 2e-3 + 6e-9 * (301 + 68) + 0.07 * 33 * 4.4e-5 + 2 * 7.5e-6)));
}

TEST(EngineModel, no_more_than_max_sequences_run) {
  EngineParameters p;
  p.max_sequences = 2;
  EngineModel model(p);
  for (EngineId id = 0; id < 3; ++id) model.submit(id, 4, 2);
  model.step();
  EXPECT_EQ(model.running(), 2u);
  EXPECT_EQ(model.waiting(), 1u);
  EXPECT_EQ(ids(model.step().ended), (Ids{0, 1}));
  EXPECT_EQ(ids(model.step().started), Ids{2});
}

TEST(EngineModel, decodes_beyond_the_budget_get_nothing) {
  EngineModel model(tiny(560'000, 3));
  for (EngineId id = 0; id < 4; ++id) model.submit(id, 1, 10);
  const EngineStep& step = model.step();
  EXPECT_EQ(ids(step.started), (Ids{0, 1, 2}));
  model.step();
  EXPECT_EQ(ids(step.continued), (Ids{0, 1, 2}));
  EXPECT_EQ(model.waiting(), 1u);  // no budget is left to admit with
}

TEST(EngineModel, the_last_running_is_preempted_when_blocks_run_out) {
  // Four blocks of 16. Each prompt fills two; the first decode needs a third.
  EngineParameters p = tiny(64);
  p.prefix_cache = false;
  EngineModel model(p);
  model.submit(0, 32, 10);
  model.submit(1, 32, 10);
  const EngineStep& step = model.step();
  EXPECT_EQ(ids(step.started), (Ids{0, 1}));
  EXPECT_EQ(model.kv_usage(), 1);
  model.step();
  // 1 gave its two blocks, 0 took one of them; with one block left the 33 tokens to prefill again do not fit.
  EXPECT_EQ(ids(step.continued), Ids{0});
  EXPECT_EQ(step.tokens, 1);
  EXPECT_EQ(model.counters().preemptions, 1u);
  EXPECT_EQ(model.waiting(), 1u);
  while (step.ended.empty()) model.step();
  EXPECT_EQ(ids(step.ended), Ids{0});
  model.step();  // prefills 32 + 1 and emits the second token, not a first one
  EXPECT_EQ(step.tokens, 33);
  EXPECT_EQ(ids(step.started), Ids{});
  EXPECT_EQ(ids(step.continued), Ids{1});
  EXPECT_EQ(run_out(model)[1], 8);
}

TEST(EngineModel, the_last_running_preempts_itself) {
  // Three blocks: 0 holds one with room, 1 holds two full ones and needs a third.
  EngineParameters p = tiny(48);
  p.prefix_cache = false;
  EngineModel model(p);
  model.submit(0, 4, 10);
  model.submit(1, 31, 10);
  model.step();
  const EngineStep& step = model.step();  // 1 fills its block
  EXPECT_EQ(ids(step.continued), (Ids{0, 1}));
  model.step();
  // It preempts itself, and 33 tokens need the three blocks that are not there.
  EXPECT_EQ(ids(step.continued), Ids{0});
  EXPECT_EQ(model.counters().preemptions, 1u);
  EXPECT_EQ(model.waiting(), 1u);
}

TEST(EngineModel, a_preempted_one_returns_before_those_that_wait) {
  EngineParameters p = tiny(64);
  p.prefix_cache = false;
  EngineModel model(p);
  model.submit(0, 32, 3);
  model.submit(1, 32, 3);
  model.submit(2, 8, 1);
  const EngineStep& step = model.step();
  model.step();
  EXPECT_EQ(model.counters().preemptions, 1u);
  EXPECT_EQ(model.waiting(), 2u);  // 2 would fit, but it is not its turn
  model.step();
  EXPECT_EQ(ids(step.ended), Ids{0});
  model.step();
  EXPECT_EQ(ids(step.continued), Ids{1});
  EXPECT_EQ(ids(step.started), Ids{2});
}

TEST(EngineModel, every_request_gets_its_tokens_whatever_is_preempted) {
  for (const bool cache : {false, true}) {
    EngineParameters p = tiny(2'000, 40);
    p.max_sequences = 60;  // more than the budget: decodes go without a token, too
    p.prefix_cache = cache;
    EngineModel model(p);
    Random random(7);
    std::map<EngineId, int> expected;
    for (EngineId id = 0; id < 200; ++id) {
      const auto prompt = static_cast<std::int64_t>(1 + random.below(id % 10 == 0 ? 1500 : 60));
      expected[id] = static_cast<int>(1 + random.below(200));
      std::vector<std::uint64_t> hashes;
      for (std::int64_t block = 0; block < prompt / 16; ++block)
        hashes.push_back(mix(id % 3, static_cast<std::uint64_t>(block)));
      model.submit(id, prompt, expected[id], hashes);
    }
    EXPECT_EQ(run_out(model), expected);
    EXPECT_GT(model.counters().preemptions, 10u);
    EXPECT_EQ(model.kv_usage(), 0);
  }
}

TEST(EngineModel, a_prompt_that_begins_alike_starts_behind_the_cached_blocks) {
  EngineModel model{EngineParameters{}};
  const std::vector<std::uint64_t> hashes = {11, 22, 33};
  model.submit(0, 50, 1, hashes);
  model.step();
  EXPECT_EQ(model.cached_tokens(0), 0);
  model.submit(1, 50, 1, hashes);
  EXPECT_EQ(model.step().tokens, 2);
  EXPECT_EQ(model.cached_tokens(1), 48);
  model.submit(2, 48, 1, hashes);  // wholly cached: one token is computed all the same
  EXPECT_EQ(model.step().tokens, 1);
  EXPECT_EQ(model.cached_tokens(2), 47);
  model.submit(3, 48, 1, std::vector<std::uint64_t>{11, 23, 33});
  EXPECT_EQ(model.step().tokens, 32);
  EXPECT_EQ(model.counters().cache_queries, 196u);
  EXPECT_EQ(model.counters().cache_hits, 48u + 47u + 16u);
  EXPECT_TRUE(model.reset_prefix_cache());
  model.submit(4, 50, 1, hashes);
  EXPECT_FALSE(model.reset_prefix_cache());
  EXPECT_EQ(model.step().tokens, 50);
}

TEST(EngineModel, blocks_are_shared_while_both_run) {
  EngineModel model(tiny(160));  // ten blocks
  const std::vector<std::uint64_t> hashes = {1, 2, 3, 4, 5, 6};
  model.submit(0, 96, 3, hashes);
  model.step();
  EXPECT_DOUBLE_EQ(model.kv_usage(), 0.6);
  model.submit(1, 97, 3, hashes);
  model.step();
  EXPECT_EQ(model.cached_tokens(1), 96);
  EXPECT_DOUBLE_EQ(model.kv_usage(), 0.8);  // six shared, one more for each
  run_out(model);
  EXPECT_EQ(model.kv_usage(), 0);
}

TEST(EngineModel, the_longest_unused_content_is_evicted_first) {
  EngineModel model(tiny(64));  // four blocks
  const auto cached = [&](std::uint64_t hash) {
    model.submit(0, 17, 1, std::vector<std::uint64_t>{hash});
    model.step();
    return model.cached_tokens(0) == 16;
  };
  EXPECT_FALSE(cached(1));  // holds two blocks: its content and one of no known content
  EXPECT_FALSE(cached(2));
  EXPECT_TRUE(cached(1));  // takes the one of unknown content that has waited longest
  EXPECT_TRUE(cached(2));
  model.submit(1, 64, 1);  // evicts all
  model.step();
  EXPECT_FALSE(cached(1));
}

TEST(EngineModel, without_the_cache_nothing_is_found) {
  EngineParameters p;
  p.prefix_cache = false;
  EngineModel model(p);
  for (int i = 0; i < 2; ++i) {
    model.submit(0, 32, 1, std::vector<std::uint64_t>{1, 2});
    EXPECT_EQ(model.step().tokens, 32);
  }
  EXPECT_EQ(model.counters().cache_queries, 0u);
}

TEST(EngineModel, cancelling_frees_in_every_place) {
  EngineModel model(tiny(160));
  model.submit(0, 20, 5);
  model.submit(1, 130, 5);
  model.submit(2, 10, 5);
  model.step();
  model.cancel(2);  // waits, or runs
  model.cancel(1);
  model.cancel(0);
  model.cancel(0);
  model.cancel(77);
  EXPECT_TRUE(model.idle());
  EXPECT_EQ(model.kv_usage(), 0);
  model.submit(0, 150, 5);
  EXPECT_EQ(run_out(model)[0], 5);
}

TEST(EngineParameters, are_checked_named_and_hashed) {
  EngineParameters p;
  validate(p);
  const std::string hash = parameters_hash(p);
  EXPECT_EQ(hash.size(), 8u);
  set_engine_parameter(p, "token_budget", "512");
  EXPECT_EQ(p.token_budget, 512);
  EXPECT_NE(parameters_hash(p), hash);
  set_engine_parameter(p, "prefix_cache", "false");
  EXPECT_FALSE(p.prefix_cache);
  set_engine_parameter(p, "kv_read_s", "7e-9");
  EXPECT_DOUBLE_EQ(p.kv_read.count(), 7e-9);
  EXPECT_THROW(set_engine_parameter(p, "token_budgets", "1"), Error);
  EXPECT_THROW(set_engine_parameter(p, "token_budget", "1.5"), Error);
  p.token_budget = 0;
  EXPECT_THROW(validate(p), Error);
  EXPECT_EQ(engine_flags(EngineParameters{}).front(), (std::pair<std::string, std::string>{"fixed_step_s", "0.0017"}));
}

TEST(EngineParameters, say_what_can_be_served) {
  EngineParameters p = tiny(64);
  EXPECT_TRUE(can_serve(p, 60, 5));
  EXPECT_FALSE(can_serve(p, 60, 6));
  EXPECT_FALSE(can_serve(p, 0, 5));
  EXPECT_FALSE(can_serve(p, 5, 0));
  EXPECT_FALSE(can_serve(EngineParameters{}, 32'000, 800));
}

TEST(ToldCache, WhatIsToldToBeFoundIsNotComputed) {
  EngineModel model(EngineParameters{});
  model.submit(0, 100, 2, {}, 60);
  EXPECT_EQ(model.step().tokens, 40);
  EXPECT_EQ(model.cached_tokens(0), 60);
  while (!model.idle()) model.step();
  EXPECT_DOUBLE_EQ(model.kv_usage(), 0) << "its blocks are its own, and given back";
  model.submit(1, 100, 1, {}, 100);
  EXPECT_EQ(model.step().tokens, 1) << "one token is computed, or there would be nothing to emit from";
}

}  // namespace
}  // namespace loadline
