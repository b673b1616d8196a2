#include "trace/llama_server_log.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trace/llama_server_line.h"
#include "trace/read_trace.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;
using Lines = std::vector<std::uint64_t>;
using Kind = LlamaServerLine::Kind;

std::string launch(std::string_view clock, int task) {
  return fmt::format("{} I slot launch_slot_: id  0 | task {} | processing task, is_child = 0\n", clock, task);
}

std::string timings(std::string_view clock, int task, int computed, int completion) {
  return fmt::format(
      "{0} I slot print_timing: id  0 | task {1} | prompt eval time =   181.00 ms / {2} tokens (  0.10 ms per token)\n"
      "{0} I slot print_timing: id  0 | task {1} |        eval time =  3723.00 ms / {3} tokens ( 17.56 ms per token)\n"
      "{0} I slot print_timing: id  0 | task {1} |       total time =  3904.00 ms / {4} tokens\n",
      clock, task, computed, completion, computed + completion);
}

std::string release(std::string_view clock, int task, int held, int truncated = 0) {
  return fmt::format("{} I slot      release: id  0 | task {} | stop processing: n_tokens = {}, truncated = {}\n",
                     clock, task, held, truncated);
}

TEST(LlamaServerLine, ClockAndTaskBehindAnySupervisor) {
  for (const char* const before : {"", "[53409] ", "Jun 18 08:58:34 host llama[1351]: "}) {
    const std::string text = before + launch("71.02.003.004", 12);
    const LlamaServerLine line = read_llama_server_line(text);
    EXPECT_EQ(line.kind, Kind::launched);
    EXPECT_EQ(line.task, "12");
    EXPECT_EQ(line.clock, 71min + 2s + 3ms + 4us);
  }
  EXPECT_EQ(read_llama_server_line("slot launch_slot_: id  0 | task 0 | processing task").clock, std::nullopt);
  EXPECT_EQ(read_llama_server_line("x.y I slot launch_slot_: id  0 | task 0 | processing task").clock, std::nullopt);
}

TEST(LlamaServerLine, Kinds) {
  const auto kind_of = [](std::string_view text) { return read_llama_server_line(text).kind; };
  EXPECT_EQ(kind_of("slot print_timing: id  0 | task 1 | prompt processing, n_tokens = 1536, progress = 0.1"),
            Kind::detail);
  EXPECT_EQ(kind_of("slot launch_slot_: id  0 | task -1 | sampler chain: logits"), Kind::other);
  EXPECT_EQ(kind_of("srv  log_server_r: done request: POST /v1/chat/completions 10.0.3.7 200"), Kind::other);
  EXPECT_EQ(kind_of("main: server is listening on http://127.0.0.1:8080"), Kind::started);
  EXPECT_EQ(kind_of("slot release: id  0 | task 1 | stop processing: n_past = 380, truncated = 1"), Kind::released);
  const LlamaServerLine prompt = read_llama_server_line(
      "slot   operator(): id  0 | task 0 | new prompt, n_ctx_slot = 131072, n_keep = 4, task.n_tokens = 14892");
  EXPECT_EQ(prompt.kind, Kind::prompt);
  EXPECT_EQ(prompt.tokens, 14892);
  EXPECT_EQ(read_llama_server_line("srv  stop: cancel task, id_task = 22").task, "22");
}

TEST(LlamaServer, ALaunchIsAnArrivalAndTheSlotTellsThePrompt) {
  const Trace trace = read_trace_bytes(
      "log", launch("0.10.000.000", 0) + launch("0.10.412.037", 61) + timings("0.11.143.037", 61, 961, 37) +
                 release("0.11.143.037", 61, 997) + "0.12.0.0 I srv  log_server_r: request: POST /v1 10.0.3.7 200\n\n" +
                 timings("0.13.904.000", 0, 2560, 603) + release("0.13.904.000", 0, 4698));
  EXPECT_EQ(trace.format, "llama-server-log");
  EXPECT_TRUE(trace.has_times);
  EXPECT_EQ(trace.time_zone, "");
  EXPECT_FALSE(trace.started);
  EXPECT_EQ(trace.time_resolution_ms, 1e-3);
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.rows[0].prompt.value(), 4096);
  EXPECT_EQ(trace.rows[0].completion.value(), 603);
  EXPECT_EQ(trace.rows[0].cached, Tokens(1536));
  EXPECT_EQ(trace.rows[1].arrival, 412037us);
  EXPECT_EQ(trace.rows[1].prompt.value(), 961);
  EXPECT_EQ(trace.rows[1].cached, Tokens(0));
  EXPECT_EQ(trace.read, 12u);  // every line
  EXPECT_EQ(trace.filtered.at("intermediate"), 8u);
  EXPECT_EQ(trace.filtered.at("other"), 1u);
  EXPECT_EQ(trace.filtered.at("blank"), 1u);
  ASSERT_EQ(trace.remarks.size(), 1u);
  EXPECT_NE(trace.remarks[0].find("waited for a slot"), std::string::npos);
}

TEST(LlamaServer, OlderBuildsStampNothingAndPrintTimingsApart) {
  const Trace trace = read_trace_bytes(
      "log",
      "slot launch_slot_: id  0 | task 7 | processing task\r\n"
      "slot update_slots: id  0 | task 7 | new prompt, n_ctx_slot = 4096, n_keep = 0, n_prompt_tokens = 342\r\n"
      "slot      release: id  0 | task 7 | stop processing: n_past = 380, truncated = 1\r\n"
      "slot print_timing: id  0 | task 7 | \r\n"
      "prompt eval time =    5093.47 ms /   300 tokens (    3.75 ms per token,   267.01 tokens per second)\r\n"
      "       eval time =     319.58 ms /    39 tokens (   31.96 ms per token,    31.29 tokens per second)\r\n"
      "      total time =    5413.05 ms /   339 tokens\r\n");
  EXPECT_FALSE(trace.has_times);
  ASSERT_EQ(trace.rows.size(), 1u);
  EXPECT_EQ(trace.rows[0].prompt.value(), 342);
  EXPECT_EQ(trace.rows[0].completion.value(), 39);
  EXPECT_EQ(trace.rows[0].cached, Tokens(42));
  ASSERT_EQ(trace.remarks.size(), 1u);
  EXPECT_NE(trace.remarks[0].find("stamps no times"), std::string::npos);
}

TEST(LlamaServer, EveryTaskIsInTheBooks) {
  const Trace trace =
      read_trace_bytes("log", launch("0.01.000.000", 1) +                                          // 1: never released
                                  launch("0.02.000.000", 2) + release("0.03.000.000", 2, 50) +     // 3: no answer
                                  launch("0.04.000.000", 3) +                                      // 4
                                  "0.05.000.000 W srv  stop: cancel task, id_task = 3\n" +         // 5
                                  release("0.05.000.000", 3, 50) +                                 // 6: cancelled
                                  launch("0.06.000.000", 4) + timings("0.07.000.000", 4, 10, 5) +  // 7 to 10
                                  release("0.07.000.000", 4, 8, 1) +                               // 11: dropped tokens
                                  launch("0.08.000.000", 5) + timings("0.09.000.000", 5, 10, 0) +  // 12 to 15
                                  release("0.09.000.000", 5, 9) +                                  // 16: no completion
                                  release("0.09.000.000", 99, 9) +  // 17: began before the log
                                  launch("0.10.000.000", 6) + timings("0.11.000.000", 6, 12, 5) +  // 18 to 21
                                  release("0.11.000.000", 6, 15) +                         // 22: one token short
                                  launch("0.12.000.000", 7) + launch("0.13.000.000", 7));  // 23, 24: launched again
  const auto lines = [&](const char* reason) { return trace.refused.at(reason).first_lines; };
  EXPECT_EQ(lines("failed"), (Lines{6}));
  EXPECT_EQ(lines("no_prompt_length"), (Lines{11}));
  EXPECT_EQ(lines("completion_zero"), (Lines{16}));
  EXPECT_EQ(lines("unpaired"), (Lines{23, 1, 24}));
  EXPECT_EQ(lines("no_completion_length"), (Lines{3}));
  EXPECT_EQ(trace.filtered.at("other"), 1u);
  EXPECT_EQ(trace.read, 24u);
  ASSERT_EQ(trace.rows.size(), 1u);
  EXPECT_EQ(trace.rows[0].prompt.value(), 12);
}

TEST(LlamaServer, ARestartContinuesTheClock) {
  const auto request = [](const char* clock) {
    return launch(clock, 0) + timings(clock, 0, 10, 5) + release(clock, 0, 14);
  };
  const Trace trace = read_trace_bytes(
      "log", "main: server is listening on http://x:1\n" + request("0.10.000.000") + request("2.00.000.000") +
                 "main: server is listening on http://x:1\n" + request("0.05.000.000"));
  ASSERT_EQ(trace.rows.size(), 3u);
  EXPECT_EQ(trace.rows[1].arrival, 110s);
  EXPECT_EQ(trace.rows[2].arrival, 115s);
  EXPECT_EQ(trace.remarks.size(), 2u);
}

}  // namespace
}  // namespace loadline
