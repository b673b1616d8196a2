#include "engine/api_request.h"

#include <gtest/gtest.h>

#include "core/prompt.h"
#include "core/random.h"
#include "engine/block_hashes.h"

namespace loadline {
namespace {

using Tokens32 = std::vector<std::uint32_t>;

TEST(ApiRequest, takes_token_ids_and_options) {
  ApiReader reader;
  CompletionRequest request;
  ASSERT_FALSE(reader.read_completion(
      R"({"model":"m","prompt":[5,6,4294967295],"max_tokens":7,"min_tokens":7,"ignore_eos":true,"stream":true,
          "stream_options":{"include_usage":true,"continuous_usage_stats":true},"temperature":0,"unknown":[{}]})",
      false, request));
  EXPECT_EQ(request.model, "m");
  EXPECT_EQ(request.tokens, (Tokens32{5, 6, 4294967295}));
  EXPECT_EQ(request.max_tokens, 7);
  EXPECT_TRUE(request.stream && request.include_usage && request.continuous_usage);
  ASSERT_FALSE(reader.read_completion(R"({"prompt":[[1,2]],"max_tokens":null,"stream":null,"stream_options":null})",
                                      false, request));
  EXPECT_EQ(request.tokens, (Tokens32{1, 2}));
  EXPECT_EQ(request.max_tokens, 16);
  EXPECT_FALSE(request.stream || request.include_usage || request.continuous_usage);
  EXPECT_TRUE(request.model.empty());
}

TEST(ApiRequest, makes_a_token_of_every_word) {
  ApiReader reader;
  CompletionRequest request;
  ASSERT_FALSE(reader.read_completion(R"({"prompt":"  one two\n\tone  "})", false, request));
  ASSERT_EQ(request.tokens.size(), 3u);
  EXPECT_EQ(request.tokens[0], request.tokens[2]);
  EXPECT_NE(request.tokens[0], request.tokens[1]);
  ASSERT_FALSE(reader.read_completion(
      R"({"messages":[{"role":"system","content":"one two"},{"role":"user","content":[{"type":"text","text":"three"}]}],
          "max_completion_tokens":3,"max_tokens":9})",
      true, request));
  EXPECT_EQ(request.tokens.size(), chat_template_tokens + 3);
  EXPECT_EQ(request.max_tokens, 3);
  Tokens32 tokens;
  ASSERT_FALSE(reader.read_tokenize(R"({"prompt":"one two"})", tokens));
  EXPECT_EQ(tokens.size(), 2u);
  ASSERT_FALSE(reader.read_tokenize(R"({"messages":[{"role":"user","content":"one two"}]})", tokens));
  EXPECT_EQ(tokens.size(), 6u);
}

TEST(ApiRequest, refuses_with_words) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", "not JSON"},
      {"{", "not JSON"},
      {"{} {}", "not JSON"},
      {"[1]", "object"},
      {"{}", "prompt is missing"},
      {R"({"prompt":[]})", "at least one token"},
      {R"({"prompt":"  "})", "at least one token"},
      {R"({"prompt":7})", "text or a list"},
      {R"({"prompt":[-1]})", "token id"},
      {R"({"prompt":[1.5]})", "token id"},
      {R"({"prompt":[1,"a"]})", "token id"},
      {R"({"prompt":["a","b"]})", "one prompt"},
      {R"({"prompt":"a","max_tokens":0})", "max_tokens"},
      {R"({"prompt":"a","max_tokens":"3"})", "max_tokens"},
      {R"({"prompt":"a","max_tokens":3,"min_tokens":4})", "min_tokens"},
      {R"({"prompt":"a","n":2})", "n:"},
      {R"({"prompt":"a","stream":1})", "stream"},
      {R"({"prompt":"a","stream_options":1})", "stream_options"},
      {R"({"prompt":"a","model":1})", "model"},
  };
  ApiReader reader;
  CompletionRequest request;
  for (const auto& [body, words] : cases) {
    const auto refusal = reader.read_completion(body, false, request);
    ASSERT_TRUE(refusal) << body;
    EXPECT_EQ(refusal->status, 400) << body;
    EXPECT_NE(refusal->message.find(words), std::string::npos) << body << ": " << refusal->message;
  }
  EXPECT_TRUE(reader.read_completion(R"({"messages":[]})", true, request));
  EXPECT_TRUE(reader.read_completion(R"({"messages":[{"role":"user"}]})", true, request));
}

/// The two ways to a hash agree: equal recipes where equal tokens, over many random pairs.
TEST(BlockHashes, a_recipe_shares_what_its_tokens_share) {
  Random random(5);
  const std::vector<std::uint64_t> blocks = {1, 2, 3, 4, 1, 2, 3, 5, 1, 2, 6, 4, 1, 7, 3, 4};
  for (int round = 0; round < 300; ++round) {
    const auto block_size = static_cast<std::uint32_t>(1 + random.below(40));
    const auto draw = [&](std::uint64_t own) {
      Prompt prompt;
      prompt.length = Tokens(static_cast<std::int64_t>(1 + random.below(150)));
      prompt.first_block = 4 * random.below(4);
      prompt.block_count = static_cast<std::uint32_t>(random.below(5));
      prompt.sharing_namespace = random.below(4) == 0 ? 9 : 8;
      prompt.own = own;
      return prompt;
    };
    const Prompt one = draw(1), two = draw(2);
    const auto common = [&](const auto& hashes_of) {
      std::vector<std::uint64_t> a, b;
      hashes_of(one, a);
      hashes_of(two, b);
      std::size_t n = 0;
      while (n < a.size() && n < b.size() && a[n] == b[n]) ++n;
      return n;
    };
    const std::size_t by_tokens = common([&](const Prompt& prompt, std::vector<std::uint64_t>& hashes) {
      Tokens32 tokens;
      append_prompt_tokens(prompt, blocks, block_size, 42, Vocabulary{}, tokens);
      hash_blocks(tokens, 16, hashes);
    });
    const std::size_t by_recipe = common([&](const Prompt& prompt, std::vector<std::uint64_t>& hashes) {
      hash_recipe(prompt, blocks, block_size, 16, hashes);
    });
    EXPECT_EQ(by_tokens, by_recipe) << "block size " << block_size;
  }
}

}  // namespace
}  // namespace loadline
