#include "wire/stream_event.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

StreamEvent read(std::string_view data) {
  static StreamEventReader reader;
  return reader.read(StreamFormat::openai, "message", data);
}

struct OutputCase {
  const char* data;
  bool output, answer, finished;
};

TEST(StreamEvent, TellsWhatIsOutput) {
  const OutputCase cases[] = {
      {R"({"choices":[{"delta":{"role":"assistant","content":""},"finish_reason":null}]})", false, false, false},
      {R"({"choices":[{"delta":{"role":"assistant","content":null}}],"prompt_progress":{"total":9}})", false, false,
       false},
      {R"({"choices":[{"finish_reason":null,"index":0,"delta":{"content":"The"}}],"created":1})", true, true, false},
      {R"({"choices":[{"delta":{"content":" ","role":"assistant"}}]})", true, true, false},
      {R"({"choices":[{"delta":{"content":"\""}}]})", true, true, false},
      {R"({"choices":[{"delta":{"content":"","reasoning_content":"hm"}}]})", true, false, false},
      {R"({"choices":[{"delta":{"content":null,"reasoning":"hm"}}]})", true, false, false},
      {R"({"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.text","text":"hm"}]}}]})", true, false, false},
      {R"({"choices":[{"delta":{"reasoning_details":[]}}]})", false, false, false},
      {R"({"choices":[{"delta":{"reasoning_content":"","reasoning":null}}]})", false, false, false},
      {R"({"choices":[{"delta":{"content":[{"type":"text","text":"a"}]}}]})", true, true, false},
      {R"({"choices":[{"delta":{"refusal":"no"}}]})", true, true, false},
      {R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":""}}]}}]})", true,
       false, false},
      {R"({"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\""}}]}}]})", true, false, false},
      {R"({"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":""}}]}}]})", false, false, false},
      {R"({"choices":[{"delta":{"tool_calls":null}}]})", false, false, false},
      {R"({"choices":[{"text":" x","index":0,"logprobs":null,"finish_reason":null}]})", true, true, false},
      {R"({"choices":[{"text":"","finish_reason":"length"}],"usage":{"prompt_tokens":3}})", false, false, true},
      {R"({"choices":[{"text":"","token_ids":[17],"finish_reason":null}]})", true, false, false},
      {R"({"choices":[{"text":"","token_ids":[]}]})", false, false, false},
      {R"({"choices":[{"text":"","token_ids":null}]})", false, false, false},
      {R"({"choices":[{"delta":{"content":""}}]})", false, false, false},
      {R"({"choices":[{"delta":{"content":"."},"finish_reason":"stop"}]})", true, true, true},
      {R"({"choices":[{"delta":{},"finish_reason":"stop"}]})", false, false, true},
      {R"({"choices":[{"delta":{},"finish_reason":""}]})", false, false, false},
      {R"({"choices":[{"delta":null},null,7]})", false, false, false},
      {R"({"choices":[]})", false, false, false},
      {R"({"choices":null,"usage":null,"error":null})", false, false, false},
      {R"({"choices":[{"delta":{"content":5}}]})", false, false, false},
      {"{}", false, false, false},
      {"null", false, false, false},
      {"", false, false, false},
  };
  for (const OutputCase& c : cases) {
    const StreamEvent event = read(c.data);
    EXPECT_EQ(event.carries_output, c.output) << c.data;
    EXPECT_EQ(event.carries_answer, c.answer) << c.data;
    EXPECT_EQ(event.finished, c.finished) << c.data;
    EXPECT_FALSE(event.malformed) << c.data;
    EXPECT_FALSE(event.is_error) << c.data;
    EXPECT_FALSE(event.done) << c.data;
  }
}

TEST(StreamEvent, ReadsUsage) {
  const StreamEvent full =
      read(R"({"choices":[],"usage":{"prompt_tokens":300,"completion_tokens":24,"total_tokens":324,)"
           R"("prompt_tokens_details":{"cached_tokens":256},"completion_tokens_details":{"reasoning_tokens":9}}})");
  ASSERT_TRUE(full.usage);
  EXPECT_EQ(full.usage->prompt_tokens, 300);
  EXPECT_EQ(full.usage->completion_tokens, 24);
  EXPECT_EQ(full.usage->cached_tokens, 256);
  EXPECT_EQ(full.usage->reasoning_tokens, 9);
  const StreamEvent partial = read(R"({"usage":{"completion_tokens":0,"prompt_tokens_details":null}})");
  ASSERT_TRUE(partial.usage);
  EXPECT_EQ(partial.usage->completion_tokens, 0);
  EXPECT_FALSE(partial.usage->prompt_tokens);
  EXPECT_FALSE(partial.usage->cached_tokens) << "absent is not 0";
  EXPECT_FALSE(read(R"({"usage":null})").usage);
  EXPECT_FALSE(read(R"({"usage":{}})").usage);
  EXPECT_FALSE(read(R"({"usage":{"completion_tokens":"many"}})").usage);
}

TEST(StreamEvent, CountsTokenIds) {
  EXPECT_EQ(read(R"({"choices":[{"text":"ab","prompt_token_ids":[1,2,3],"token_ids":[5,6]}]})").token_ids, 2u);
  EXPECT_FALSE(read(R"({"choices":[{"text":"ab","prompt_token_ids":[1,2,3]}]})").token_ids);
}

TEST(StreamEvent, FindsErrorsInEveryShape) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"error":{"message":"queue \"full\"","type":"x","code":503}})", "queue \"full\""},
      {R"({"error":"out of memory"})", "out of memory"},
      {R"({"error":{"code":5}})", R"({"error":{"code":5}})"},
      {R"({"type":"error","error":{"message":"boom"}})", "boom"},
      {R"({"object":"error","message":"too long","code":400})", "too long"},
      {R"({"message":"early","type":"error"})", "early"},
  };
  for (const auto& [data, message] : cases) {
    const StreamEvent event = read(data);
    EXPECT_TRUE(event.is_error) << data;
    EXPECT_EQ(event.error_message, message) << data;
  }
}

TEST(StreamEvent, KnowsTheEndAndWhatIsNotJson) {
  EXPECT_TRUE(read("[DONE]").done);
  EXPECT_TRUE(read("[DONE] ").done);
  for (const char* data : {"hello", "{\"choices\":[", "{\"choices\":[]", "{\"a\" 1}", "[1,2]", "{", "\"x\"", "nul",
                           "{\"choices\":[{\"delta\":{\"content\":\"x", "<html>"}) {
    EXPECT_TRUE(read(data).malformed) << data;
    EXPECT_FALSE(read(data).carries_output) << data;
  }
}

TEST(StreamEvent, WordsOfAFailedBody) {
  StreamEventReader reader;
  EXPECT_EQ(error_words(reader, R"({"error":{"message":"no model"}})"), "no model");
  EXPECT_EQ(error_words(reader, R"({"detail":"Not Found"})"), "Not Found");
  EXPECT_EQ(error_words(reader, "<html>\n502"), "<html> 502");
  EXPECT_EQ(error_words(reader, R"({"error":{"message":"no model"}})"), "no model");
  EXPECT_EQ(error_words(reader, ""), "") << "nothing of the body before";
  EXPECT_EQ(error_words(reader, std::string(600, 'x')).size(), 500u);
  EXPECT_EQ(printable("a\xC3\xA9", 2), "a") << "never half a character";
  EXPECT_EQ(printable("a\xC3\xA9", 3), "a\xC3\xA9");
  EXPECT_EQ(printable("a\xFF"
                      "b",
                      20),
            "a\xEF\xBF\xBD"
            "b")
      << "always text";
  const std::string no_characters = printable(std::string(600, '\x80'), 500);
  EXPECT_LE(no_characters.size(), 500u);
  EXPECT_GT(no_characters.size(), 400u);
}

TEST(StreamEvent, CountsThatCannotBeAreUnknown) {
  const auto usage_of = [](const std::string& count) {
    return read(R"({"choices":[],"usage":{"prompt_tokens":)" + count +
                R"(,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":)" + count +
                R"(},"completion_tokens_details":{"reasoning_tokens":)" + count + "}}}")
        .usage;
  };
  for (const char* count : {"9223372036854775807", "99999999999999999999", "1000000001", "-1", "1e3", "\"5\""}) {
    const std::optional<Usage> usage = usage_of(count);
    ASSERT_TRUE(usage) << count;
    EXPECT_EQ(usage->completion_tokens, 7) << count;
    EXPECT_FALSE(usage->prompt_tokens || usage->cached_tokens || usage->reasoning_tokens) << count;
  }
  EXPECT_EQ(usage_of("1000000000")->prompt_tokens, 1'000'000'000);
  EXPECT_FALSE(read(R"({"usage":{"prompt_tokens":9223372036854775807}})").usage);
}

}  // namespace
}  // namespace loadline
