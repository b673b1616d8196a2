// Data sets of texts: what becomes a prompt, what a completion, and that nothing else of a file does.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "core/error.h"
#include "trace/read_trace.h"

namespace loadline {
namespace {

using namespace std::chrono_literals;
using TextLines = std::vector<std::uint64_t>;

const ReadOptions kept{.keep_texts = true};
const ReadOptions estimated{.tokens_per_character = 1.0};

TEST(Sharegpt, EveryAnswerIsARequest) {
  const std::string log =
      "\xEF\xBB\xBF[\n {\n  \"id\": \"x1\", \"conversations\": [\n"
      "   {\"from\": \"human\", \"value\": \"Gr\xC3\xBC\xC3\x9F \\\"dich\\\"\"},\n"
      "   {\"value\": \"Hallo!\", \"from\": \"gpt\"},\n"
      "   {\"from\": \"human\", \"value\": \"Und?\"},\n   {\"from\": \"gpt\", \"value\": \"Gut \xE2\x82\xAC.\"}]\n },\n"
      " {\"id\": \"x2\", \"conversations\": [{\"from\": \"gpt\", \"value\": \"begins\"}]},\n"     // no prompt
      " {\"id\": \"x3\", \"conversations\": []},\n"                                               // nothing
      " {\"id\": \"x4\", \"conversations\": [{\"from\": \"human\", \"value\": \"anyone?\"}]},\n"  // no answer
      " {\"id\": \"x5\", \"conversations\": [{\"from\": \"human\"}]},\n"                          // malformed
      " {\"id\": \"x6\", \"conversations\": [{\"from\": \"human\", \"value\": \"a\"}, {\"from\": \"gpt\", \"value\": "
      "\"\"}]}\n]\n";
  const Trace trace = read_trace_bytes("log", log, estimated);
  EXPECT_EQ(trace.format, "sharegpt");
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_FALSE(trace.has_times);
  EXPECT_TRUE(trace.tokens_estimated);
  EXPECT_EQ(trace.rows[0].prompt.value(), 4 + 1 + 11 + 1);
  EXPECT_EQ(trace.rows[0].completion.value(), 6);
  EXPECT_EQ(trace.rows[1].prompt.value(), 17 + (9 + 1 + 6 + 1) + (4 + 1 + 4 + 1));
  EXPECT_EQ(trace.rows[1].completion.value(), 6);
  EXPECT_EQ(trace.rows[1].turn, 1u);
  EXPECT_EQ(trace.sessions.at(trace.rows[1].session), "x1");
  EXPECT_EQ(trace.filtered.at("other"), 2u);
  EXPECT_EQ(trace.refused.at("no_prompt_length").count, 1u);
  EXPECT_EQ(trace.refused.at("malformed").count, 1u);
  EXPECT_EQ(trace.refused.at("completion_zero").count, 1u);
  const Trace texts = read_trace_bytes("log", log, kept);
  ASSERT_EQ(texts.texts.size(), 2u);
  EXPECT_TRUE(texts.texts[0].is_messages);
  EXPECT_EQ(texts.texts[0].text, "[{\"role\": \"user\", \"content\": \"Gr\xC3\xBC\xC3\x9F \\\"dich\\\"\"}]");
}

TEST(Messages, TheListUpToItsLastQuestion) {
  const std::string log =
      "[{\"role\": \"system\", \"content\": \"Brief.\"}, {\"content\": \"Hi\", \"role\": \"user\"}, {\"role\": "
      "\"assistant\", \"content\": \"an answer\"}]\n"
      "[]\n"                                                   // 2 nothing
      "[{\"role\": \"assistant\", \"content\": \"alone\"}]\n"  // 3 no question
      "[{\"role\": \"user\", \"content\": null}]\n"            // 4 role alone
      "{\"role\": \"user\"}\n"                                 // 5 malformed
      "[{\"role\": \"us";                                      // 6
  const Trace trace = read_trace_bytes("log", log, estimated);
  EXPECT_EQ(trace.format, "messages");
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.rows[0].prompt.value(), (6 + 1 + 6 + 1) + (4 + 1 + 2 + 1));
  EXPECT_EQ(trace.rows[0].completion.value(), 0);  // unknown
  EXPECT_EQ(trace.refused.at("no_prompt_length").first_lines, (TextLines{2, 3}));
  EXPECT_EQ(trace.refused.at("malformed").first_lines, TextLines{5});
  EXPECT_EQ(trace.refused.at("truncated_last_line").first_lines, TextLines{6});
  const Trace texts = read_trace_bytes("log", log, kept);
  EXPECT_EQ(texts.texts.at(0).text,
            "[{\"role\": \"system\", \"content\": \"Brief.\"}, {\"content\": \"Hi\", \"role\": \"user\"}]");
}

TEST(Openqa, Questions) {
  const Trace trace =
      read_trace_bytes("log",
                       "{\"human_answers\": [\"long\"], \"question\": \"What?\"}\n{\"question\": \"\"}\n"
                       "{\"question\": 5}\n\n{\"question\": \"\xff\"}\n",
                       estimated);
  EXPECT_EQ(trace.format, "openqa");
  ASSERT_EQ(trace.rows.size(), 1u);
  EXPECT_EQ(trace.rows[0].prompt.value(), 5);
  EXPECT_EQ(trace.refused.at("no_prompt_length").first_lines, TextLines{2});
  EXPECT_EQ(trace.refused.at("malformed").first_lines, TextLines{3});
  EXPECT_EQ(trace.refused.at("not_utf8").first_lines, TextLines{5});
  EXPECT_EQ(trace.filtered.at("blank"), 1u);
}

TEST(GenaiBench, TablesAndPlainText) {
  const std::string table = "prompt\r\n\"One, two\"\r\n\r\nthree\r\n\"\xff\"\r\n";
  const Trace trace = read_trace_bytes("log", table, estimated);
  EXPECT_EQ(trace.format, "genai-bench");
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.rows[0].prompt.value(), 8);
  EXPECT_EQ(trace.refused.at("not_utf8").first_lines, TextLines{5});
  EXPECT_THROW(read_trace_bytes("log", "One, two\nthree\n", estimated), Error);  // any text might be prompts
  ReadOptions named = kept;
  named.format = "genai-bench-text";
  const Trace lines = read_trace_bytes("log", "One, two\n\n three\n", named);
  ASSERT_EQ(lines.texts.size(), 2u);
  EXPECT_EQ(lines.texts[0].text, "One, two");
  EXPECT_EQ(lines.texts[1].text, " three");
}

TEST(Lmcache, TextsOfAgentsInOrderOfTime) {
  const Trace trace = read_trace_bytes(
      "log",
      "{\"timestamp\": 1760997396774034, \"input\": \"user: a\", \"output\": \"bcd\", \"session_id\": \"s\"}\n"
      "{\"timestamp\": 1760997396774030, \"input\": \"user: \\u00e4\", \"output\": \"\\u20ac\", \"session_id\": \"s\"}\n"
      "{\"timestamp\": 1760997396774035, \"input\": \"user: a\", \"output\": \"\", \"session_id\": \"s\"}\n"
      "{\"timestamp\": null, \"input\": \"user: a\", \"output\": \"b\", \"session_id\": \"s\"}\n"
      "{\"timestamp\": 1760997396774035, \"output\": \"b\", \"session_id\": \"s\"}\n"
      "{\"timestamp\": 1760997396774035, \"input\": [], \"output\": \"b\"}\n",
      estimated);
  EXPECT_EQ(trace.format, "lmcache");
  ASSERT_EQ(trace.rows.size(), 2u);
  EXPECT_EQ(trace.rows[1].arrival, 4us);
  EXPECT_EQ(trace.rows[0].prompt.value(), 7);
  EXPECT_EQ(trace.rows[0].completion.value(), 1);
  EXPECT_EQ(trace.rows[1].completion.value(), 3);
  EXPECT_EQ(trace.rows[1].turn, 1u);
  EXPECT_EQ(trace.time_zone, "UTC");
  EXPECT_EQ(trace.started, Nanos(1760997396774030us));
  EXPECT_EQ(trace.time_resolution_ms, 0.001);
  EXPECT_EQ(trace.refused.at("completion_zero").first_lines, TextLines{3});
  EXPECT_EQ(trace.refused.at("bad_timestamp").first_lines, TextLines{4});
  EXPECT_EQ(trace.refused.at("no_prompt_length").first_lines, TextLines{5});
  EXPECT_EQ(trace.refused.at("malformed").first_lines, TextLines{6});
}

std::string refusal_of_bytes(std::string_view bytes) {
  try {
    read_trace_bytes("log", bytes);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Tables, AreNoLogs) {
  const std::string rates = refusal_of_bytes("0,8.34,1.359,Gamma,0.54,0.21\n600,10.79,0.876,Weibull,1.3,0.07\n");
  EXPECT_NE(rates.find("a ServeGen table of rates"), std::string::npos) << rates;
  EXPECT_NE(rates.find("builtin:reason-servegen-r1"), std::string::npos) << rates;
  const std::string lengths = refusal_of_bytes(
      "{\n  \"0\": {\n    \"input_tokens\": \"{4: 0.5, 5: 0.5}\",\n    \"output_tokens\": \"{}\"\n  }\n}\n");
  EXPECT_NE(lengths.find("a ServeGen table of lengths"), std::string::npos) << lengths;
  const std::string quantiles = refusal_of_bytes("{\"what\": \"x\", \"traces\": {\"a\": {\"prompt\": {\"p50\": 5}}}}");
  EXPECT_NE(quantiles.find("a table of quantiles"), std::string::npos) << quantiles;
}

}  // namespace
}  // namespace loadline
