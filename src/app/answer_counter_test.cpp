#include "app/answer_counter.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

const std::string small_tokenizer = LOADLINE_SOURCE_DIR "/tests/data/tokenizers/byte_level.json";

RequestRecord answered(std::optional<std::int64_t> told) {
  RequestRecord record;
  record.outcome = Outcome::ok;
  if (told) {
    record.completion_tokens = Tokens(*told);
    record.token_source = TokenSource::server;
  }
  return record;
}

TEST(AnswerCounter, CountsWhatTheServerDidNot) {
  AnswerCounter counter(small_tokenizer);
  RequestRecord record = answered(std::nullopt);
  counter.count("Hello, world!", record);
  EXPECT_EQ(record.completion_tokens, Tokens(9));
  EXPECT_EQ(record.token_source, TokenSource::tokenizer);
  EXPECT_FALSE(record.prompt_tokens);
  EXPECT_EQ(counter.compared().answers, 0u);
  EXPECT_FALSE(counter.disagreement());
}

TEST(AnswerCounter, AnAnswerWithoutTextStaysUncounted) {
  AnswerCounter counter(small_tokenizer);
  RequestRecord record = answered(std::nullopt);
  counter.count("", record);
  EXPECT_FALSE(record.completion_tokens);
  EXPECT_EQ(record.token_source, TokenSource::none);
}

TEST(AnswerCounter, TheServersCountStaysAndIsHeldAgainstTheText) {
  AnswerCounter counter(small_tokenizer);
  for (int i = 0; i < 10; ++i) {
    RequestRecord record = answered(9);
    counter.count("Hello, world!", record);
    EXPECT_EQ(record.completion_tokens, Tokens(9));
    EXPECT_EQ(record.token_source, TokenSource::server);
  }
  EXPECT_FALSE(counter.disagreement()) << "90 and 90";
  RequestRecord more = answered(10), failed = answered(500);
  counter.count("Hello, world!", more);
  EXPECT_FALSE(counter.disagreement()) << "100 and 99";
  failed.outcome = Outcome::connection_cut;
  counter.count("Hello", failed);
  EXPECT_EQ(counter.compared().answers, 11u) << "only what ended well";
  counter.count("Hello, world!", more);
  const std::optional<Doubt> doubt = counter.disagreement();
  ASSERT_TRUE(doubt) << "110 and 108";
  EXPECT_EQ(doubt->id, "tokens_estimated");
  EXPECT_NE(doubt->text.find("110 tokens in 12 answers, the tokenizer 108"), std::string::npos) << doubt->text;
  EXPECT_NE(doubt->text.find("-1.8%"), std::string::npos) << doubt->text;
}

}  // namespace
}  // namespace loadline
