#include "target/log_texts.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "target/body.h"

namespace loadline {
namespace {

Plan plan_of_row(std::uint64_t row, std::int64_t completion) {
  Plan plan;
  plan.requests.resize(1);
  plan.requests.front().request.row = row;
  plan.requests.front().request.prompt.length = Tokens(1000);
  plan.requests.front().request.completion = Tokens(completion);
  return plan;
}

std::string body_of(const Target& target, const std::vector<PromptText>& texts, std::uint64_t row,
                    std::int64_t completion = 3, std::uint64_t salt = 1) {
  std::string body = "left over";
  body_writer(target, salt, &texts)(plan_of_row(row, completion), 0, body);
  return body;
}

const std::vector<PromptText>& sample_texts() {
  static const std::vector<PromptText> texts = {
      {"say \"hi\"\n\ttab \x01\x7F \\ caf\xC3\xA9 \xF0\x9F\x98\x80", false},
      {"cut \xC3 and \xFF", false},
      {R"([ {"role":"system","content":"be brief"}, {"role":"user","content":"a\nb","name":"x"} ])", true},
      {"[{\"role\":\"user\",\"content\":\"bad \xFF byte\"}]", true},
      {"", false},
  };
  return texts;
}

TEST(LogTexts, ChatBodiesByteByByte) {
  Target target;
  target.model = "m";
  target.endpoint = Endpoint::chat;
  const std::string start = R"({"model":"m","messages":)";
  const std::string end = R"(,"max_tokens":3,"temperature":0,"stream":true,"stream_options":{"include_usage":true}})";
  const auto user = [&](const std::string& content) {
    return start + R"([{"role":"user","content":")" + content + R"("}])" + end;
  };
  EXPECT_EQ(body_of(target, sample_texts(), 0),
            user("say \\\"hi\\\"\\n\\ttab \\u0001\\u007f \\\\ caf\xC3\xA9 \xF0\x9F\x98\x80"));
  EXPECT_EQ(body_of(target, sample_texts(), 1), user("cut \xEF\xBF\xBD and \xEF\xBF\xBD"));
  EXPECT_EQ(body_of(target, sample_texts(), 2), start + sample_texts()[2].text + end) << "as the log has it";
  EXPECT_EQ(body_of(target, sample_texts(), 3), user("bad \xEF\xBF\xBD byte"));
  EXPECT_EQ(body_of(target, sample_texts(), 4), user(""));
  EXPECT_EQ(body_of(target, sample_texts(), 2, 3, 1), body_of(target, sample_texts(), 2, 3, 2)) << "no salt";
}

TEST(LogTexts, CompletionsBodiesByteByByte) {
  Target target;
  target.model = "m";
  target.endpoint = Endpoint::completions;
  target.token_ids = true;  // possible, and not wanted
  target.sends_ignore_eos = target.sends_min_tokens = true;
  const auto prompt = [](const std::string& text) {
    return R"({"model":"m","prompt":")" + text +
           R"(","max_tokens":3,"temperature":0,"stream":true,"stream_options":{"include_usage":true},)"
           R"("ignore_eos":true,"min_tokens":3})";
  };
  EXPECT_EQ(body_of(target, sample_texts(), 1), prompt("cut \xEF\xBF\xBD and \xEF\xBF\xBD"));
  EXPECT_EQ(body_of(target, sample_texts(), 2), prompt(R"(system: be brief\nuser: a\nb\n)"));
  EXPECT_EQ(body_of(target, sample_texts(), 3), prompt("user: bad \xEF\xBF\xBD byte\\n"));
}

TEST(LogTexts, TheUsersTemperatureStandsAloneWhateverTheTextSays) {
  Target target;
  target.model = "m";
  target.endpoint = Endpoint::chat;
  target.keeps_temperature = true;
  target.extra_members = R"("temperature":0.5)";
  const std::vector<PromptText> texts = {{R"([{"role":"user","content":"x","temperature":0}])", true}};
  EXPECT_EQ(body_of(target, texts, 0), R"({"model":"m","messages":)" + texts[0].text +
                                           R"(,"max_tokens":3,"stream":true,"stream_options":{"include_usage":true},)"
                                           R"("temperature":0.5})");
}

TEST(LogTexts, AnUnknownLengthIsNotAskedFor) {
  Target target;
  target.model = "m";
  target.endpoint = Endpoint::chat;
  target.sends_ignore_eos = target.sends_min_tokens = true;
  EXPECT_EQ(body_of(target, sample_texts(), 4, 0),
            R"({"model":"m","messages":[{"role":"user","content":""}],"temperature":0,"stream":true,)"
            R"("stream_options":{"include_usage":true}})");
  target.endpoint = Endpoint::completions;
  target.token_ids = true;
  std::string body;
  body_writer(target, 1)(plan_of_row(no_row, 0), 0, body);
  for (const char* member : {"max_tokens", "min_tokens", "ignore_eos"}) EXPECT_EQ(body.find(member), body.npos);
  EXPECT_NE(body.find("\"temperature\":0,"), body.npos);
}

TEST(LogTexts, MessagesThatCannotBeSentAreNamed) {
  const Target target;
  const std::vector<PromptText> texts = {{"not JSON, and need not be", false}, {"[]", true}};
  try {
    body_writer(target, 1, &texts);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("request 2 of the log"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("there are none"), std::string::npos) << error.what();
  }
}

TEST(LogTexts, ARequestWithoutARowIsOurFault) {
  Target target;
  EXPECT_THROW(body_of(target, sample_texts(), no_row), Bug);
}

}  // namespace
}  // namespace loadline
