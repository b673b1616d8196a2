// Prompts of words against servers with a tokenizer of their own: what is planned must be what they count.

#include "target/exact_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "target/body.h"
#include "target/scripted_server_test.h"
#include "target/words.h"

namespace loadline {
namespace {

using nlohmann::json;

/// A server that takes no token ids. Words of more than `longest_whole` letters are two tokens, and so is a first
/// word, which has no blank before it.
struct WordServer {
  std::string owner = "acme";
  std::size_t longest_whole = 6;
  std::int64_t template_tokens = 11, bos_tokens = 1;
  bool has_chat = true, counts = true, refuses_one_token = false;
  std::int64_t grows_every = 0;  ///< a token more for every so many words: no line
  std::string tokenize;          ///< "", "prompt", "content": the member that POST /tokenize reads
  bool tokenize_lies = false;    ///< it says one a word
  int generations_that_work = 1000;

  std::int64_t tokens(const std::string& text) const {
    std::istringstream words(text);
    std::int64_t count = 0, tokens = 1;
    for (std::string word; words >> word; ++count) tokens += word.size() > longest_whole ? 2 : 1;
    return tokens + (grows_every > 0 ? count / grows_every : 0);
  }
  std::int64_t prompt_tokens(const json& body) const {
    if (!body.contains("messages")) return bos_tokens + tokens(body["prompt"]);
    return template_tokens + tokens(body["messages"][0]["content"]);
  }

  std::string generation(const ScriptedRequest& request) {
    const json body = json::parse(request.body);
    const bool unknown = !body.contains("messages") && !body["prompt"].is_string();
    const bool too_few = refuses_one_token && body["max_tokens"] == 1;
    if (unknown || too_few || generations_that_work-- <= 0) return ScriptedServer::json(400, "{}");
    const std::string usage =
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":" + std::to_string(prompt_tokens(body)) +
        ",\"completion_tokens\":1}}\n\n";
    return ScriptedServer::stream("data: {\"choices\":[{\"text\":\"x\",\"finish_reason\":\"length\"}]}\n\n" +
                                  (counts ? usage : "") + "data: [DONE]\n\n");
  }
  std::string told(const ScriptedRequest& request) const {
    const json body = json::parse(request.body);
    const std::string text = body.value(tokenize, "");
    const std::int64_t count = tokenize_lies ? std::count(text.begin(), text.end(), ' ') + 1 : tokens(text);
    if (tokenize == "prompt") return ScriptedServer::json(200, json{{"count", count + 1}}.dump());
    return ScriptedServer::json(200, json{{"tokens", std::vector<int>(static_cast<std::size_t>(count), 7)}}.dump());
  }

  ScriptedServer::Answer answers() {
    return [this](const ScriptedRequest& request) -> std::string {
      if (request.path == "/v1/models") {
        return ScriptedServer::json(200, json{{"data", {{{"id", "m"}, {"owned_by", owner}}}}}.dump());
      }
      if (request.path == "/tokenize" && !tokenize.empty()) return told(request);
      if (request.path == "/v1/completions" || (request.path == "/v1/chat/completions" && has_chat)) {
        return generation(request);
      }
      return ScriptedServer::json(404, "{}");
    };
  }
};

struct ProbedWords {
  Target target;
  std::vector<ScriptedRequest> requests;

  std::int64_t requests_to(std::string_view path) const {
    return std::ranges::count(requests, path, &ScriptedRequest::path);
  }
  std::int64_t trials_of_one_token() const {
    return std::ranges::count_if(requests, [](const ScriptedRequest& request) {
      return request.path.ends_with("completions") && json::parse(request.body)["max_tokens"] == 1;
    });
  }
};

ProbedWords probed(WordServer words, TargetSettings settings = {}) {
  ScriptedServer server(words.answers());
  settings.urls = {server.url()};
  settings.request_timeout = std::chrono::seconds(20);
  Target target = probe(settings);
  return {std::move(target), server.requests()};
}

/// Two requests for each length: the first two blocks of 16 are shared, the third is not.
Plan plan_of_lengths(std::span<const std::int64_t> lengths) {
  Plan plan;
  plan.block_size = 16;
  plan.blocks = {7, 8, 100, 7, 8, 200};
  for (const std::int64_t length : lengths) {
    for (const std::uint64_t first_block : {0u, 3u}) {
      Request request;
      request.prompt = {Tokens(length), first_block, 3, 0, plan.requests.size() + 1};
      request.completion = Tokens(5);
      plan.requests.push_back({request, WhenUserFree{}});
    }
  }
  return plan;
}

constexpr std::array<std::int64_t, 8> planned_lengths = {15, 20, 47, 64, 100, 333, 1024, 4000};

void expect_exact_lengths(const WordServer& words, const Target& target) {
  const Plan plan = plan_of_lengths(planned_lengths);
  const BodyWriter write = body_writer(target, 99);
  std::set<std::string> bodies;
  for (std::uint32_t serial = 0; serial < plan.requests.size(); ++serial) {
    std::string body;
    write(plan, serial, body);
    EXPECT_EQ(words.prompt_tokens(json::parse(body)), plan.requests[serial].request.prompt.length.value());
    bodies.insert(body);
  }
  EXPECT_GE(bodies.size(), plan.requests.size() - 2) << "only prompts inside the shared blocks are equal";
}

TEST(ExactText, ChatByUsage) {
  const WordServer words;
  const ProbedWords probe = probed(words);
  EXPECT_EQ(probe.target.endpoint, Endpoint::chat);
  ASSERT_TRUE(probe.target.exact_text);
  EXPECT_EQ(probe.target.template_tokens, 11 + 1) << "the first word has a token too many, which the constant holds";
  EXPECT_EQ(probe.target.tokens_per_word, 1);
  EXPECT_GE(probe.target.exact_words.size(), 64u);
  for (const std::uint32_t index : probe.target.exact_words) EXPECT_LE(common_words()[index].size(), 6u);
  EXPECT_LE(probe.trials_of_one_token(), 24);
  EXPECT_TRUE(probe.target.remarks.empty());
  expect_exact_lengths(words, probe.target);
}

TEST(ExactText, CompletionsByUsage) {
  WordServer words;
  words.has_chat = false;
  const ProbedWords probe = probed(words);
  EXPECT_EQ(probe.target.endpoint, Endpoint::completions);
  ASSERT_TRUE(probe.target.exact_text);
  EXPECT_EQ(probe.target.template_tokens, 1 + 1);
  expect_exact_lengths(words, probe.target);
}

TEST(ExactText, ByTokenizeOfEitherKind) {
  for (const auto& [owner, member] : {std::pair("vllm", "prompt"), {"sglang", "prompt"}, {"llamacpp", "content"}}) {
    WordServer words;
    words.owner = owner;
    words.tokenize = member;
    const ProbedWords probe = probed(words);
    ASSERT_TRUE(probe.target.exact_text) << owner;
    const auto whole = std::ranges::count_if(common_words(), [](std::string_view word) { return word.size() <= 6; });
    EXPECT_EQ(std::ssize(probe.target.exact_words), whole) << "all that there are";
    EXPECT_EQ(probe.trials_of_one_token(), 2) << "the constant, and the proof";
    EXPECT_LE(probe.requests_to("/tokenize"), 100);
    expect_exact_lengths(words, probe.target);
  }
}

TEST(ExactText, ATokenizeThatLiesIsFoundOut) {
  WordServer words;
  words.owner = "vllm";
  words.tokenize = "prompt";
  words.tokenize_lies = true;
  const ProbedWords probe = probed(words);
  ASSERT_TRUE(probe.target.exact_text) << "by usage";
  for (const std::uint32_t index : probe.target.exact_words) EXPECT_LE(common_words()[index].size(), 6u);
  EXPECT_LE(probe.trials_of_one_token(), 24);
  expect_exact_lengths(words, probe.target);
}

/// Not exact, and why: the words before the common end of the remark.
void expect_average(const ProbedWords& probe, std::string_view why) {
  EXPECT_FALSE(probe.target.exact_text);
  EXPECT_TRUE(probe.target.exact_words.empty());
  ASSERT_EQ(probe.target.remarks.size(), 1u);
  EXPECT_EQ(probe.target.remarks[0].find(why), 0u) << probe.target.remarks[0];
  EXPECT_LE(probe.trials_of_one_token(), 24);
}

TEST(ExactText, FewWordsOfOneTokenLeaveTheLine) {
  WordServer words;
  words.longest_whole = 2;
  const ProbedWords probe = probed(words);
  expect_average(probe, "Only 0 common words are known to be one token each here, after ");
  EXPECT_EQ(probe.target.tokens_per_word, 2);
  EXPECT_EQ(probe.target.template_tokens, 12);
}

TEST(ExactText, CountsThatAreNoLineAreNotExact) {
  WordServer words;
  words.longest_whole = 100;
  words.grows_every = 70;  // a group of 64 and the opening word count as they should, longer prompts do not
  const ProbedWords probe = probed(words);
  expect_average(probe, "The server counts 175 tokens for a prompt made of 173: ");
  EXPECT_TRUE(probe.target.tokens_per_word);
}

TEST(ExactText, AServerThatDoesNotCountIsNotAsked) {
  WordServer words;
  words.counts = false;
  words.owner = "vllm";
  words.tokenize = "prompt";
  const ProbedWords probe = probed(words);
  EXPECT_FALSE(probe.target.exact_text);
  EXPECT_FALSE(probe.target.tokens_per_word);
  EXPECT_EQ(probe.trials_of_one_token(), 0);
  EXPECT_EQ(probe.requests_to("/tokenize"), 0);
}

TEST(ExactText, RefusedTrialsLeaveTheLineAndNotTheRun) {
  WordServer words;
  words.refuses_one_token = true;
  expect_average(probed(words), "The server does not count a trial request of one output token: ");
  words.refuses_one_token = false;
  words.generations_that_work = 4;  // two for the line, the constant, one group
  expect_average(probed(words), "The server does not count a prompt made of 173 tokens: ");
}

TEST(ExactText, TheLogsOwnTextsNeedNoWords) {
  TargetSettings settings;
  settings.log_texts = true;
  const ProbedWords probe = probed({}, settings);
  EXPECT_EQ(probe.target.endpoint, Endpoint::chat);
  EXPECT_EQ(probe.trials_of_one_token(), 0);
  EXPECT_TRUE(probe.target.remarks.empty());
}

/// With what every test below writes its bodies.
Target target_of_four_words() {
  Target target;
  target.model = "m";
  target.endpoint = Endpoint::completions;
  target.exact_text = true;
  target.tokens_per_word = 1;
  target.template_tokens = 3;
  target.exact_words = {4, 9, 11, 200};
  return target;
}

std::vector<std::string> words_sent(const Plan& plan, std::uint32_t serial) {
  std::string body;
  body_writer(target_of_four_words(), 5)(plan, serial, body);
  std::istringstream text(json::parse(body)["prompt"].get<std::string>());
  return std::vector<std::string>(std::istream_iterator<std::string>(text), {});
}

TEST(ExactText, EqualBlocksAreEqualWordsInTheirPlaces) {
  const std::array<std::int64_t, 1> length = {60};
  const Plan plan = plan_of_lengths(length);
  const std::vector<std::string> a = words_sent(plan, 0), b = words_sent(plan, 1);
  ASSERT_EQ(a.size(), 57u);
  ASSERT_EQ(b.size(), 57u);
  EXPECT_EQ(a[0], common_words()[opening_word]);
  EXPECT_TRUE(std::equal(a.begin(), a.begin() + 29, b.begin())) << "two blocks of 16, of which the template has 3";
  EXPECT_FALSE(std::equal(a.begin() + 29, a.begin() + 45, b.begin() + 29)) << "other blocks, other words";
  std::set<std::string> used(a.begin() + 1, a.end()), allowed;
  for (const std::uint32_t index : target_of_four_words().exact_words) allowed.emplace(common_words()[index]);
  EXPECT_EQ(used, allowed) << "in 56 words each of the four comes up";
}

TEST(ExactText, PromptsThatDifferAtTheirVeryEndDoSo) {
  const std::array<std::int64_t, 1> length = {52};  // three blocks of 16, and 4 tokens of its own
  Plan plan = plan_of_lengths(length);
  plan.blocks = {7, 8, 100, 7, 8, 100};
  const std::vector<std::string> a = words_sent(plan, 0), b = words_sent(plan, 1);
  EXPECT_TRUE(std::equal(a.begin(), a.begin() + 45, b.begin()));
  EXPECT_NE(a, b);
}

TEST(ExactText, TheShortestPromptIsStillOfItsOwn) {
  const std::array<std::int64_t, 1> length = {1};
  const Plan plan = plan_of_lengths(length);
  EXPECT_EQ(words_sent(plan, 0).size(), 2u) << "the opening word alone would be the same prompt every time";
}

}  // namespace
}  // namespace loadline
