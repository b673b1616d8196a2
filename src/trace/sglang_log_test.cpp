#include "trace/sglang_log.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "trace/read_trace.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;
using Lines = std::vector<std::uint64_t>;

std::string json_event(std::string_view event, std::string_view stamp, std::string_view id,
                       std::string_view rest = "") {
  return fmt::format(
      "[2026-11-02 09:15:00] {{\"timestamp\": \"2026-11-02T09:{}\", \"event\": \"request.{}\", \"rid\": {}{}}}\n",
      stamp, event, id, rest);
}

std::string json_answer(std::string_view meta, std::string_view object = "") {
  return fmt::format(
      ", \"obj\": {{{}\"sampling_params\": {{\"max_new_tokens\": 512}}}}, \"out\": {{\"meta_info\": {{{}}}}}", object,
      meta);
}

constexpr std::string_view json_meta =
    "\"prompt_tokens\": 1843, \"completion_tokens\": 212, \"cached_tokens\": 0, \"e2e_latency\": 3.904, "
    "\"finish_reason\": {\"type\": \"stop\", \"matched\": 5}";

TEST(SglangJson, ArrivalIsWhenItWasReceived) {
  const Trace trace =
      read_trace_bytes("log", "INFO: server started\n\n" + json_event("received", "15:00.412000", "\"b\"") +
                                  json_event("received", "15:00", "\"a\"") +
                                  json_event("finished", "15:03.904000", "\"a\"", json_answer(json_meta)) +
                                  json_event("finished", "15:04", "\"b\"",
                                             ", \"headers\": {\"x-smg-routing-key\": \"s-41\"}" +
                                                 json_answer("\"prompt_tokens\": 961, \"completion_tokens\": 37")));
  EXPECT_EQ(trace.format, "sglang-log");
  EXPECT_EQ(trace.time_zone, "local");
  EXPECT_EQ(trace.time_resolution_ms, 0.001);
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.rows[0].prompt.value(), 1843);
  EXPECT_EQ(trace.rows[0].completion.value(), 212);
  EXPECT_EQ(trace.rows[0].cached, Tokens(0));
  EXPECT_EQ(trace.details[0].max_completion, Tokens(512));
  EXPECT_EQ(trace.rows[0].session, no_session);
  EXPECT_EQ(trace.rows[1].arrival, 412ms);
  EXPECT_FALSE(trace.rows[1].cached);
  EXPECT_EQ(trace.sessions.at(trace.rows[1].session), "s-41");
  EXPECT_EQ(trace.filtered.at("other"), 1u);
  EXPECT_EQ(trace.filtered.at("blank"), 1u);
  EXPECT_EQ(trace.filtered.at("intermediate"), 2u);
  EXPECT_EQ(trace.read, 6u);
}

TEST(SglangJson, EveryEventIsInTheBooks) {
  const auto finished = [](std::string_view id, std::string_view meta) {
    return json_event("finished", "15:10", id, json_answer(meta));
  };
  const Trace trace = read_trace_bytes(
      "log", json_event("received", "15:00", "\"never\"") +                                // 1
                 finished("\"late\"", json_meta) +                                         // 2: by its latency
                 finished("\"lost\"", "\"prompt_tokens\": 5, \"completion_tokens\": 5") +  // 3
                 finished("\"x\"", "\"prompt_tokens\": 5, \"finish_reason\": {\"type\": \"abort\"}") +  // 4
                 json_event("received", "15:01", "\"zero\"") +                                          // 5
                 finished("\"zero\"", "\"prompt_tokens\": 5, \"completion_tokens\": 0") +               // 6
                 finished("\"y\"", "\"prompt_tokens\": \"ten\", \"e2e_latency\": 1") +                  // 7
                 finished("\"z\"", "\"prompt_tokens\": 99999999999, \"e2e_latency\": 1") +              // 8
                 finished("7", json_meta) +                                                             // 9: no id
                 json_event("received", "15:02", "\"HEALTH_CHECK_1\"") +                                // 10
                 json_event("received", "15:02", "[\"p\", \"q\"]") +                                    // 11
                 finished("\"p\"", json_meta) +                                                         // 12
                 json_event("aborted", "15:02", "\"q\"") +                                              // 13
                 json_event("received", "99:99", "\"w\"") +
                 finished("\"w\"", "\"prompt_tokens\": 5, \"completion_tokens\": 5") +
                 "{\"timestamp\": \"\xFF\"}\n{\"timestamp\": 1, }\n{\"timestamp\": \"2026-11");  // 16 to 18
  const auto lines = [&](const char* reason) { return trace.refused.at(reason).first_lines; };
  EXPECT_EQ(lines("unpaired"), (Lines{3, 1, 11}));
  EXPECT_EQ(lines("failed"), (Lines{4}));
  EXPECT_EQ(lines("completion_zero"), (Lines{6}));
  EXPECT_EQ(lines("malformed"), (Lines{7, 9, 17}));
  EXPECT_EQ(lines("out_of_range"), (Lines{8}));
  EXPECT_EQ(lines("not_utf8"), (Lines{16}));
  EXPECT_EQ(lines("truncated_last_line"), (Lines{18}));
  EXPECT_EQ(lines("bad_timestamp"), (Lines{15}));
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.rows[1].arrival, 4096ms);  // 15:10 - 3.904 s, after 15:02
}

TEST(SglangJson, LongPromptsThatAreCutShareNothing) {
  const auto request = [](std::string_view id, std::string text) {
    return json_event("finished", "15:10", id, json_answer(json_meta, "\"text\": \"" + text + "\", "));
  };
  const std::string whole(2000, 'a'), cut = std::string(1024, 'a') + "..." + std::string(1024, 'a');
  const Trace trace =
      read_trace_bytes("log", request("\"1\"", whole) + request("\"2\"", whole) + request("\"3\"", cut));
  EXPECT_EQ(trace.sharing, SharingOrigin::hashed);
  const auto first_block = [&](std::size_t row) { return trace.blocks[trace.rows[row].first_block]; };
  EXPECT_EQ(first_block(0), first_block(1));
  EXPECT_NE(first_block(0), first_block(2));
  ASSERT_EQ(trace.remarks.size(), 1u);
  EXPECT_NE(trace.remarks[0].find("--log-requests-level 3"), std::string::npos);
}

TEST(SglangJson, TokenIdsTellOfSharingAndAreNeverSent) {
  std::string ids = "1";
  for (int i = 0; i < 300; ++i) ids += ", 1510";
  const std::string log =
      json_event("finished", "15:10", "\"1\"", json_answer(json_meta, "\"input_ids\": [" + ids + "], ")) +
      json_event("finished", "15:10", "\"2\"", json_answer(json_meta, "\"input_ids\": [" + ids + ", 7], "));
  ReadOptions keep;
  keep.keep_texts = true;
  const Trace trace = read_trace_bytes("log", log, keep);
  EXPECT_EQ(trace.sharing, SharingOrigin::hashed);
  EXPECT_EQ(trace.blocks[trace.rows[0].first_block], trace.blocks[trace.rows[1].first_block]);
  for (const PromptText& text : trace.texts) EXPECT_EQ(text.text, "");
}

std::string text_event(std::string_view stamp, std::string_view rest) {
  return fmt::format("[2026-11-02 09:{}] {}\n", stamp, rest);
}

std::string received(std::string_view id, std::string_view fields = "") {
  return fmt::format("Receive: obj=GenerateReqInput({}rid={}, sampling_params={{'max_new_tokens': 512}}, stream=True)",
                     fields, id);
}

std::string finished(std::string_view id, std::string_view meta, std::string_view fields = "") {
  return fmt::format(
      "Finish: obj=GenerateReqInput({}rid={}, sampling_params={{'stop': [\"it's\"], 'max_new_tokens': 512}}, "
      "stream=True), out={{'text': 'An \\'answer\\', \"so\"', 'meta_info': {{'id': 'x', {}}}}}",
      fields, id, meta);
}

constexpr std::string_view text_meta =
    "'finish_reason': {'type': 'stop', 'matched': 151645}, 'prompt_tokens': 1843, 'completion_tokens': 212, "
    "'cached_tokens': 0, 'e2e_latency': 3.904";

TEST(SglangText, ArrivalIsWhenItWasReceived) {
  const Trace trace = read_trace_bytes(
      "log", text_event("15:02", "Prefill batch. #new-seq: 1") + "\r\n" +
                 text_event("15:00", received("'b'", "text=None, input_ids=None, ")) +
                 text_event("15:03 TP0", finished("'b'", text_meta)) + text_event("15:05", received("['c']")) +
                 text_event("15:10", finished("['c']", "'prompt_tokens': 5, 'completion_tokens': 6") +
                                         ", headers={'x-smg-routing-key': 's-1'}"));
  EXPECT_EQ(trace.format, "sglang-log-text");
  EXPECT_EQ(trace.time_zone, "local");
  EXPECT_EQ(trace.time_resolution_ms, 1000);
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.rows[0].prompt.value(), 1843);
  EXPECT_EQ(trace.rows[0].cached, Tokens(0));
  EXPECT_EQ(trace.details[0].max_completion, Tokens(512));
  EXPECT_EQ(trace.rows[1].arrival, 5s);
  EXPECT_EQ(trace.sessions.at(trace.rows[1].session), "s-1");
  EXPECT_EQ(trace.filtered.at("other"), 1u);
  EXPECT_EQ(trace.filtered.at("blank"), 1u);
  EXPECT_EQ(trace.filtered.at("intermediate"), 2u);
}

TEST(SglangText, EveryEventIsInTheBooks) {
  const Trace trace = read_trace_bytes(
      "log", text_event("15:00", received("'never'")) +                                                           // 1
                 text_event("15:10", finished("'late'", text_meta)) +                                             // 2
                 text_event("15:10", finished("'lost'", "'prompt_tokens': 5, 'completion_tokens': 5")) +          // 3
                 text_event("15:10", finished("'x'", "'finish_reason': {'type': 'abort', 'message': \"no\"}")) +  // 4
                 text_event("15:10", "Finish: obj=EmbeddingReqInput(rid='e'), out={'meta_info': {}}") +           // 5
                 text_event("15:10", received("'\xFF'")) +                                                        // 6
                 text_event("15:10", "Receive: obj=GenerateReqInput(rid='a'") +                                   // 7
                 text_event("15:10", finished("'y'", "'prompt_tokens': 1e9, 'e2e_latency': 1.0")) +               // 8
                 "[2026-11-02 09:15:11] Finish: obj=GenerateReqInput(rid='z', text='cut off");                    // 9
  const auto lines = [&](const char* reason) { return trace.refused.at(reason).first_lines; };
  EXPECT_EQ(lines("unpaired"), (Lines{3, 1}));
  EXPECT_EQ(lines("failed"), (Lines{4}));
  EXPECT_EQ(lines("not_utf8"), (Lines{6}));
  EXPECT_EQ(lines("malformed"), (Lines{7, 8}));
  EXPECT_EQ(lines("truncated_last_line"), (Lines{9}));
  EXPECT_EQ(trace.filtered.at("other"), 1u);
  EXPECT_EQ(trace.rows.size(), 1u);
}

TEST(SglangText, PromptsAreHashedWhole) {
  const auto request = [](std::string_view id, const std::string& fields) {
    return text_event("15:10", finished(id, text_meta, fields));
  };
  const std::string whole = "text='" + std::string(1000, 'a') + "\\n', ";
  const Trace trace = read_trace_bytes(
      "log", request("'1'", whole) + request("'2'", whole) + request("'3'", "text='aaaa' ... 'aaaa', "));
  EXPECT_EQ(trace.sharing, SharingOrigin::hashed);
  const auto first_block = [&](std::size_t row) { return trace.blocks[trace.rows[row].first_block]; };
  EXPECT_EQ(first_block(0), first_block(1));
  EXPECT_NE(first_block(0), first_block(2));
  EXPECT_EQ(trace.remarks.size(), 1u);
}

}  // namespace
}  // namespace loadline
