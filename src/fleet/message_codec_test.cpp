#include "fleet/message_codec.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "fleet/byte_stream.h"

namespace loadline {
namespace {

/// What `message` is after its journey.
template <class T>
T over(const T& message) {
  FleetMessage arrived = decode(encode(message));
  return std::get<T>(std::move(arrived));
}

Plan odd_plan() {
  Plan plan;
  plan.level = {LevelKind::request_rate, 12.75, Arrivals::gamma,     0.5, 3.25,
                std::chrono::seconds(7), 99,    LevelPurpose::visit, 3,   1000};
  plan.ordinal = 5;
  plan.seed = ~std::uint64_t{0};
  plan.block_size = 512;
  plan.blocks = {1, ~std::uint64_t{0} - 3, 77};
  PlannedRequest free;
  free.request.prompt = {Tokens(1234), 1, 2, 0xfedcba9876543210, 42};
  free.request.completion = Tokens(56);
  PlannedRequest timed;
  timed.request.session = 3;
  timed.request.turn = 9;
  timed.request.client = 12;
  timed.request.arrival = std::chrono::milliseconds(1500);
  timed.request.think = Nanos(-1);
  timed.request.row = 8'000'000'000;
  timed.due = AtOffset{std::chrono::hours(30)};
  PlannedRequest turn;
  turn.due = AfterTurn{1, std::chrono::seconds(2), std::chrono::seconds(3)};
  plan.requests = {free, timed, turn};
  return plan;
}

void expect_equal(const Request& a, const Request& b) {
  EXPECT_EQ(a.prompt.length, b.prompt.length);
  EXPECT_EQ(a.prompt.first_block, b.prompt.first_block);
  EXPECT_EQ(a.prompt.block_count, b.prompt.block_count);
  EXPECT_EQ(a.prompt.sharing_namespace, b.prompt.sharing_namespace);
  EXPECT_EQ(a.prompt.own, b.prompt.own);
  EXPECT_EQ(a.completion, b.completion);
  EXPECT_EQ(a.session, b.session);
  EXPECT_EQ(a.turn, b.turn);
  EXPECT_EQ(a.client, b.client);
  EXPECT_EQ(a.arrival, b.arrival);
  EXPECT_EQ(a.think, b.think);
  EXPECT_EQ(a.row, b.row);
}

TEST(MessageCodec, APlanKeepsEveryField) {
  const Plan sent = odd_plan();
  const CarryShares arrived = over(CarryShares{5, {{0, Plan{}}, {17, sent}}});
  EXPECT_EQ(arrived.level, 5u);
  ASSERT_EQ(arrived.shares.size(), 2u);
  EXPECT_EQ(arrived.shares[1].share, 17u);
  EXPECT_TRUE(arrived.shares[0].plan.requests.empty());
  const Plan& plan = arrived.shares[1].plan;
  EXPECT_EQ(plan.level.kind, LevelKind::request_rate);
  EXPECT_EQ(plan.level.target, 12.75);
  EXPECT_EQ(plan.level.arrivals, Arrivals::gamma);
  EXPECT_EQ(plan.level.burstiness, 0.5);
  EXPECT_EQ(plan.level.arrival_scale, 3.25);
  EXPECT_EQ(plan.level.ramp, std::chrono::seconds(7));
  EXPECT_EQ(plan.level.max_in_flight, 99u);
  EXPECT_EQ(plan.level.purpose, LevelPurpose::visit);
  EXPECT_EQ(plan.level.pass, 3u);
  EXPECT_EQ(plan.level.requests, 1000u);
  EXPECT_EQ(plan.ordinal, 5u);
  EXPECT_EQ(plan.seed, sent.seed);
  EXPECT_EQ(plan.block_size, 512u);
  EXPECT_EQ(plan.blocks, sent.blocks);
  ASSERT_EQ(plan.requests.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) expect_equal(plan.requests[i].request, sent.requests[i].request);
  EXPECT_TRUE(std::holds_alternative<WhenUserFree>(plan.requests[0].due));
  EXPECT_EQ(std::get<AtOffset>(plan.requests[1].due).after_level_start, std::chrono::hours(30));
  EXPECT_EQ(std::get<AfterTurn>(plan.requests[2].due).before, 1u);
  EXPECT_EQ(std::get<AfterTurn>(plan.requests[2].due).pause, std::chrono::seconds(2));
  EXPECT_EQ(std::get<AfterTurn>(plan.requests[2].due).not_before, std::chrono::seconds(3));
}

/// Every field differs from its default and from every other.
RequestRecord full_record() {
  RequestRecord r;
  r.serial = 1;
  r.plan_index = 2;
  r.session = 3;
  r.turn = 4;
  r.client = 13;
  r.planned_prompt = Tokens(5);
  r.planned_completion = Tokens(6);
  r.warmup = true;
  std::int64_t ns = 70'000'000'000;
  for (auto* instant : {&r.due, &r.sent, &r.first_byte, &r.first_token, &r.first_answer, &r.last_token, &r.closed}) {
    *instant = run_time(ns += 1'234'567);
  }
  r.stamp = Stamp::kernel;
  r.prompt_tokens = Tokens(8);
  r.completion_tokens = Tokens(9);
  r.reasoning_tokens = Tokens(10);
  r.cached_tokens = Tokens(0);
  r.token_source = TokenSource::tokenizer;
  r.events = 11;
  r.first_event_tokens = Tokens(12);
  r.single_token_events = 9;
  r.coalesced = true;
  r.gaps = {0, 1, 2};
  r.http_status = 429;
  r.outcome = Outcome::unsent;
  r.attempts = 14;
  r.retry_after = std::chrono::seconds(15);
  r.message = std::string("overloaded \"\xff\0\"", 16);
  return r;
}

void expect_equal(const RequestRecord& a, const RequestRecord& b) {
  EXPECT_EQ(a.serial, b.serial);
  EXPECT_EQ(a.plan_index, b.plan_index);
  EXPECT_EQ(a.session, b.session);
  EXPECT_EQ(a.turn, b.turn);
  EXPECT_EQ(a.client, b.client);
  EXPECT_EQ(a.planned_prompt, b.planned_prompt);
  EXPECT_EQ(a.planned_completion, b.planned_completion);
  EXPECT_EQ(a.warmup, b.warmup);
  EXPECT_EQ(a.due, b.due);
  EXPECT_EQ(a.sent, b.sent);
  EXPECT_EQ(a.first_byte, b.first_byte);
  EXPECT_EQ(a.first_token, b.first_token);
  EXPECT_EQ(a.first_answer, b.first_answer);
  EXPECT_EQ(a.last_token, b.last_token);
  EXPECT_EQ(a.closed, b.closed);
  EXPECT_EQ(a.stamp, b.stamp);
  EXPECT_EQ(a.prompt_tokens, b.prompt_tokens);
  EXPECT_EQ(a.completion_tokens, b.completion_tokens);
  EXPECT_EQ(a.reasoning_tokens, b.reasoning_tokens);
  EXPECT_EQ(a.cached_tokens, b.cached_tokens);
  EXPECT_EQ(a.token_source, b.token_source);
  EXPECT_EQ(a.events, b.events);
  EXPECT_EQ(a.first_event_tokens, b.first_event_tokens);
  EXPECT_EQ(a.single_token_events, b.single_token_events);
  EXPECT_EQ(a.coalesced, b.coalesced);
  EXPECT_EQ(a.gaps.chunk, b.gaps.chunk);
  EXPECT_EQ(a.gaps.first, b.gaps.first);
  EXPECT_EQ(a.gaps.count, b.gaps.count);
  EXPECT_EQ(a.http_status, b.http_status);
  EXPECT_EQ(a.outcome, b.outcome);
  EXPECT_EQ(a.attempts, b.attempts);
  EXPECT_EQ(a.retry_after, b.retry_after);
  EXPECT_EQ(a.message, b.message);
}

/// One of each event, two records.
Batch full_batch() {
  using What = ShareEvent::Kind;
  Batch batch;
  batch.up_to = run_time(71'000'000'000);
  batch.events = {{What::released, run_time(10), 6, 7, run_time(9), 0},
                  {What::first_token, run_time(20), 6, 0, run_time(-19), 0},
                  {What::ended, run_time(30), 6, 0, {}, 0},
                  {What::cancelled, run_time(40), 8, 0, {}, 1}};
  batch.records = {full_record(), RequestRecord{}};
  batch.gaps = {0, 100'000, 0xffffffff};
  batch.texts = {"an answer, \u00e9\n", ""};
  return batch;
}

TEST(MessageCodec, ABatchKeepsEveryField) {
  const Batch sent = full_batch();
  ShareBatch message;
  message.level = 2;
  message.share = 300;
  message.batch = sent;
  const ShareBatch arrived = over(message);
  EXPECT_EQ(arrived.level, 2u);
  EXPECT_EQ(arrived.share, 300u);
  const Batch& batch = arrived.batch;
  EXPECT_EQ(batch.up_to, sent.up_to);
  EXPECT_FALSE(batch.is_last);
  ASSERT_EQ(batch.events.size(), sent.events.size());
  for (std::size_t i = 0; i < sent.events.size(); ++i) {
    EXPECT_EQ(batch.events[i].kind, sent.events[i].kind);
    EXPECT_EQ(batch.events[i].at, sent.events[i].at);
    EXPECT_EQ(batch.events[i].serial, sent.events[i].serial);
    EXPECT_EQ(batch.events[i].plan_index, sent.events[i].plan_index);
    EXPECT_EQ(batch.events[i].instant, sent.events[i].instant);
    EXPECT_EQ(batch.events[i].record, sent.events[i].record);
  }
  ASSERT_EQ(batch.records.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) expect_equal(batch.records[i], sent.records[i]);
  EXPECT_EQ(batch.gaps, sent.gaps);
  EXPECT_EQ(batch.texts, sent.texts);
}

TEST(MessageCodec, TheLastBatchBringsTheClient) {
  ShareBatch message;
  message.batch.is_last = true;
  ClientSelf& sent = message.batch.client;
  sent.threads = 3;
  sent.machines = 5;
  sent.clock_residual_us = 2.5;
  sent.send_lateness_p50_ms = 0.018;
  sent.send_lateness_p99_ms = 0.072;
  sent.send_lateness_max_ms = 1.5;
  sent.read_lateness_p50_ms = 0.003;
  sent.read_lateness_p99_ms = 0.01;
  sent.read_lateness_max_ms = -0.5;
  sent.loop_turn_p99_ms = 0.25;
  sent.loop_turn_max_ms = 4;
  sent.cpu_share = 0.85;
  sent.thread_cpu_shares = {0.1, 0.85};
  sent.reads = 1'000'000'000'000;
  sent.stamped_reads = 5;
  sent.coalesced_reads = 6;
  sent.output_events = 7;
  sent.reconnects = 8;
  sent.retries = 9;
  sent.held_back = 10;
  sent.clock_stepped = true;
  const ClientSelf client = over(message).batch.client;
  EXPECT_EQ(client.threads, 3u);
  EXPECT_EQ(client.machines, 5u);
  EXPECT_EQ(client.clock_residual_us, 2.5);
  EXPECT_EQ(client.send_lateness_p50_ms, 0.018);
  EXPECT_EQ(client.send_lateness_p99_ms, 0.072);
  EXPECT_EQ(client.send_lateness_max_ms, 1.5);
  EXPECT_EQ(client.read_lateness_p50_ms, 0.003);
  EXPECT_EQ(client.read_lateness_p99_ms, 0.01);
  EXPECT_EQ(client.read_lateness_max_ms, -0.5);
  EXPECT_EQ(client.loop_turn_p99_ms, 0.25);
  EXPECT_EQ(client.loop_turn_max_ms, 4);
  EXPECT_EQ(client.cpu_share, 0.85);
  EXPECT_EQ(client.thread_cpu_shares, sent.thread_cpu_shares);
  EXPECT_EQ(client.reads, sent.reads);
  EXPECT_EQ(client.stamped_reads, 5u);
  EXPECT_EQ(client.coalesced_reads, 6u);
  EXPECT_EQ(client.output_events, 7u);
  EXPECT_EQ(client.reconnects, 8u);
  EXPECT_EQ(client.retries, 9u);
  EXPECT_EQ(client.held_back, 10u);
  EXPECT_TRUE(client.clock_stepped);
  EXPECT_FALSE(over(ShareBatch{}).batch.client.cpu_share) << "absent stays absent";
}

TEST(MessageCodec, ControlMessagesKeepTheirFields) {
  const SharesReady ready = over(SharesReady{3, 16});
  EXPECT_EQ(ready.level, 3u);
  EXPECT_EQ(ready.shares, 16u);
  const StartLevel start = over(StartLevel{4, run_time(-123'456'789'012)});
  EXPECT_EQ(start.level, 4u);
  EXPECT_EQ(start.at, run_time(-123'456'789'012));
  for (const Phase phase :
       {Phase::warming_up, Phase::measuring, Phase::cooling_down, Phase::draining, Phase::finished}) {
    const LevelPhase told = over(LevelPhase{5, phase, run_time(7), std::nullopt});
    EXPECT_EQ(told.level, 5u);
    EXPECT_EQ(told.phase, phase);
  }
  EXPECT_EQ(over(EndRun{"rank 2 is gone"}).why, "rank 2 is gone");
  const SharesFailed failed = over(SharesFailed{6, "too many open files"});
  EXPECT_EQ(failed.level, 6u);
  EXPECT_EQ(failed.why, "too many open files");
}

TEST(MessageCodec, ARequestTakesLittle) {
  ShareBatch message;
  const std::size_t empty = encode(message).size();
  RequestRecord record = full_record();
  record.outcome = Outcome::ok;
  record.message.clear();
  record.retry_after.reset();
  record.planned_prompt = *(record.prompt_tokens = Tokens(2000));
  record.planned_completion = *(record.completion_tokens = Tokens(250));
  record.events = 250;
  record.serial = record.plan_index = 1'000'000;
  record.gaps = {0, 0, 249};
  message.batch.records = {record};
  message.batch.gaps.assign(249, 100'000);  // 10 ms
  EXPECT_LE(encode(message).size() - empty, 150 + 3 * 249);
}

TEST(MessageCodec, BytesAreThoseOfTheFormat) {
  // Version, kind, level 300 as 0xac 0x02, phase: the same on every machine.
  EXPECT_EQ(encode(LevelPhase{300, Phase::draining}), std::string("\x02\x03\xac\x02\x03\0\0", 7));
  ByteWriter writer;
  writer.item(1.0);
  writer.item(Nanos(-1));
  writer.item(run_time(100));
  writer.item(run_time(98));
  EXPECT_EQ(writer.take(), std::string("\0\0\0\0\0\0\xf0\x3f\x01\xc8\x01\x03", 12));
}

TEST(MessageCodec, ExtremesSurvive) {
  for (const std::int64_t ns : {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1}, std::int64_t{0},
                                std::int64_t{63}, std::int64_t{64}, std::numeric_limits<std::int64_t>::max()}) {
    EXPECT_EQ(over(StartLevel{0, run_time(ns)}).at, run_time(ns));
  }
  ByteWriter writer;
  writer.item(run_time(std::numeric_limits<std::int64_t>::max()));
  writer.item(run_time(std::numeric_limits<std::int64_t>::min()));
  const std::string bytes = writer.take();
  ByteReader reader(bytes);
  RunTime first{}, second{};
  reader.item(first);
  reader.item(second);
  reader.end();
  EXPECT_EQ(first, run_time(std::numeric_limits<std::int64_t>::max()));
  EXPECT_EQ(second, run_time(std::numeric_limits<std::int64_t>::min()));
}

std::vector<std::string> whole_messages() {
  ShareBatch batch;
  batch.batch = full_batch();
  batch.batch.is_last = true;
  batch.batch.client.thread_cpu_shares = {0.5};
  return {encode(CarryShares{5, {{17, odd_plan()}}}),
          encode(SharesReady{1, 2}),
          encode(StartLevel{1, run_time(5)}),
          encode(LevelPhase{1, Phase::measuring}),
          encode(SharesFailed{1, "why"}),
          encode(EndRun{"why"}),
          encode(batch)};
}

TEST(MessageCodec, EveryCutMessageIsRefused) {
  for (const std::string& whole : whole_messages()) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      EXPECT_THROW(decode(std::string_view(whole).substr(0, size)), Error) << size << " of " << whole.size();
    }
    EXPECT_THROW(decode(whole + '\0'), Error);
  }
}

TEST(MessageCodec, AnyChangedByteIsReadOrRefused) {
  std::size_t refused = 0, read = 0;
  for (const std::string& whole : whole_messages()) {
    for (std::size_t at = 0; at < whole.size(); ++at) {
      for (const int change : {1, 0x7f, 0x80, 0xff}) {
        std::string bytes = whole;
        bytes[at] = static_cast<char>(bytes[at] ^ change);
        try {
          decode(bytes);
          ++read;
        } catch (const Error&) {
          ++refused;
        }
      }
    }
  }
  EXPECT_GT(refused, 100u);
  EXPECT_GT(read, 100u) << "most bytes are values";
}

TEST(MessageCodec, WhatIsNotThereIsRefused) {
  const auto why = [](const FleetMessage& message) -> std::string {
    try {
      decode(encode(message));
    } catch (const Error& error) {
      return error.what();
    }
    return "read";
  };
  Plan plan = odd_plan();
  plan.blocks.pop_back();
  EXPECT_NE(why(CarryShares{5, {{0, plan}}}).find("blocks"), std::string::npos);
  plan = odd_plan();
  std::get<AfterTurn>(plan.requests[2].due).before = 2;
  EXPECT_NE(why(CarryShares{5, {{0, plan}}}).find("turn"), std::string::npos);
  ShareBatch message;
  message.batch = full_batch();
  message.batch.events[2].record = 2;
  EXPECT_NE(why(message).find("record"), std::string::npos);
  message.batch = full_batch();
  message.batch.records[0].gaps = {0, 2, 2};
  EXPECT_NE(why(message).find("gaps"), std::string::npos);
  message.batch = full_batch();
  message.batch.texts.pop_back();
  EXPECT_NE(why(message).find("text"), std::string::npos);
  EXPECT_EQ(why(CarryShares{5, {{0, odd_plan()}}}), "read");
}

TEST(MessageCodec, AnotherVersionAndACountBeyondTheMessageAreRefused) {
  std::string other = encode(EndRun{});
  other[0] = fleet_message_version + 1;
  EXPECT_THROW(decode(other), Error);
  // A carry of 2^60 shares in twelve bytes.
  EXPECT_THROW(decode(std::string("\x02\x00\x05\x80\x80\x80\x80\x80\x80\x80\x80\x10\x01", 13)), Error);
}

TEST(ShiftInstants, MovesEveryInstantAndNothingElse) {
  Batch batch = full_batch();
  const Batch before = full_batch();
  const Nanos span = std::chrono::milliseconds(-250);
  shift_instants(batch, span);
  EXPECT_EQ(batch.up_to, before.up_to + span);
  EXPECT_EQ(batch.events[1].at, before.events[1].at + span);
  EXPECT_EQ(batch.events[1].instant, before.events[1].instant + span);
  EXPECT_EQ(e2e(batch.records[0]), e2e(before.records[0]));
  EXPECT_EQ(batch.records[0].closed, *before.records[0].closed + span);
  EXPECT_EQ(batch.records[0].due, *before.records[0].due + span);
  EXPECT_FALSE(batch.records[1].due);
  EXPECT_EQ(batch.gaps, before.gaps);
  shift_instants(batch, -span);
  expect_equal(batch.records[0], before.records[0]);
}

}  // namespace
}  // namespace loadline
