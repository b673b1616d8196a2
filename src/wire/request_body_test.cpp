#include "wire/request_body.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace loadline {
namespace {

const BodyShape flat{.before_text = R"("messages":[{"content":)",
                     .after_text = "}]",
                     .token_ids = "prompt",
                     .messages = "messages",
                     .length = "max_tokens",
                     .greedy = R"("temperature":0)",
                     .stream = R"("stream":true,"more":1)",
                     .ignore_eos = "ignore_eos",
                     .least_length = "min_tokens"};
const BodyShape nested{.names_model = false,
                       .before_text = R"("inputs":)",
                       .container = "parameters",
                       .length = "max_new_tokens",
                       .greedy = R"("do_sample":false)",
                       .whole = R"("stream":false)",
                       .always = R"("a":1)",
                       .always_sampling = R"("details":true)",
                       .ignore_eos = "ignore_eos"};

std::string text_body(const BodyShape& shape, const SamplingMembers& members, std::string_view text) {
  std::string out = "before ";
  append_text_body(out, shape, members, text);
  return out.substr(7);
}

TEST(RequestBody, Flat) {
  const SamplingMembers plain{.model = "m", .max_tokens = 16};
  EXPECT_EQ(text_body(flat, plain, "a\nb"),
            R"({"model":"m","messages":[{"content":"a\nb"}],"max_tokens":16,"temperature":0,"stream":true,"more":1})");
  const SamplingMembers forced{
      .model = "a\"b", .max_tokens = 2, .stream = false, .ignore_eos = true, .min_tokens = 2, .extra = R"("top_k":1)"};
  EXPECT_EQ(text_body(flat, forced, "hi"),
            R"({"model":"a\"b","messages":[{"content":"hi"}],"max_tokens":2,"temperature":0,"ignore_eos":true,)"
            R"("min_tokens":2,"top_k":1})");
  EXPECT_EQ(text_body(flat, {.model = "m", .greedy = false, .stream = false}, "\xFF"),
            "{\"model\":\"m\",\"messages\":[{\"content\":\"\xEF\xBF\xBD\"}]}")
      << "a length that is not told is not written";
}

TEST(RequestBody, Nested) {
  const SamplingMembers members{.model = "not named",
                                .max_tokens = 3,
                                .stream = false,
                                .ignore_eos = false,
                                .min_tokens = 3,
                                .extra = R"("x":2)",
                                .extra_sampling = R"("top_k":1)"};
  EXPECT_EQ(text_body(nested, members, "hi"),
            R"({"inputs":"hi","parameters":{"max_new_tokens":3,"do_sample":false,"ignore_eos":false,"details":true,)"
            R"("top_k":1},"stream":false,"a":1,"x":2})");
  BodyShape bare = nested;
  bare.always_sampling = "";
  EXPECT_EQ(text_body(bare, {.greedy = false}, ""), R"({"inputs":"","parameters":{},"a":1})");
}

TEST(RequestBody, TokenIdsAndMessages) {
  const std::vector<std::uint32_t> tokens{1000, 7, 4294967295u};
  const SamplingMembers members{.model = "m", .max_tokens = 1, .stream = false};
  std::string out;
  append_token_body(out, flat, members, tokens);
  EXPECT_EQ(out, R"({"model":"m","prompt":[1000,7,4294967295],"max_tokens":1,"temperature":0})");
  out.clear();
  append_token_body(out, flat, members, {});
  EXPECT_EQ(out, R"({"model":"m","prompt":[],"max_tokens":1,"temperature":0})");
  out.clear();
  append_messages_body(out, flat, members, R"([{"role":"user","content":"a"}])");
  EXPECT_EQ(out, R"({"model":"m","messages":[{"role":"user","content":"a"}],"max_tokens":1,"temperature":0})");
}

}  // namespace
}  // namespace loadline
