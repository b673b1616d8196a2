// The parts of the room that need no server.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.h"
#include "target/body.h"
#include "target/credentials.h"
#include "target/dialect.h"
#include "target/prometheus.h"
#include "target/server_facts.h"
#include "target/url.h"
#include "target/words.h"

namespace loadline {
namespace {

TEST(Url, Forms) {
  struct Row {
    std::string_view text, host_header, api_base, root_base, shown;
    bool tls;
  };
  const Row rows[] = {
      {"http://localhost:8000", "localhost:8000", "/v1", "", "http://localhost:8000", false},
      {"http://localhost:8000/", "localhost:8000", "/v1", "", "http://localhost:8000", false},
      {"http://localhost:8000/v1", "localhost:8000", "/v1", "", "http://localhost:8000", false},
      {"http://h/v1/chat/completions", "h", "/v1", "", "http://h", false},
      {"http://h/v1/messages", "h", "/v1", "", "http://h", false},
      {"http://h/x/generate_stream", "h", "/x/v1", "/x", "http://h/x", false},
      {"http://h:11434/api/chat", "h:11434", "/v1", "", "http://h:11434", false},
      {"https://h/openai/v1/", "h", "/openai/v1", "/openai", "https://h/openai", true},
      {"https://h:443/a", "h", "/a/v1", "/a", "https://h/a", true},
      {"https://h/api/v4", "h", "/api/v4", "/api", "https://h/api", true},
      {"http://[::1]:8000/v1", "[::1]:8000", "/v1", "", "http://[::1]:8000", false},
      {"unix:/run/e.sock", "localhost", "/v1", "", "unix:/run/e.sock", false},
      {"unix:///run/e.sock", "localhost", "/v1", "", "unix:/run/e.sock", false},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.text);
    const Url url = parse_url(row.text);
    EXPECT_EQ(url.host_header(), row.host_header);
    EXPECT_EQ(url.api_base, row.api_base);
    EXPECT_EQ(url.root_base, row.root_base);
    EXPECT_EQ(url.text(), row.shown);
    EXPECT_EQ(url.tls, row.tls);
  }
}

TEST(Url, RefusedWithoutShowingSecrets) {
  const std::string_view rows[] = {"localhost:8000",
                                   "ftp://h",
                                   "http://user:hunter2@h:8000",
                                   "http://h?key=hunter2",
                                   "http://",
                                   "http://h:0",
                                   "http://h:70000",
                                   "http://h:80x",
                                   "http://::1:8000",
                                   "http://[::1",
                                   "http://[::1]8000",
                                   "unix:relative",
                                   "http://hunter2@h/v1?x=1",
                                   "http://h/a b",
                                   "user:hunter2@h:80"};
  for (const std::string_view row : rows) {
    try {
      parse_url(row);
      ADD_FAILURE() << row;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find("hunter2"), std::string::npos) << error.what();
    }
  }
}

TEST(Credentials, HeaderLines) {
  EXPECT_EQ(Credentials("k", {}).header_lines(), "Authorization: Bearer k\r\n");
  EXPECT_EQ(Credentials("k", {"X-A: 1"}).header_lines(), "X-A: 1\r\nAuthorization: Bearer k\r\n");
  EXPECT_EQ(Credentials("k", {"authorization:  Basic zzz"}).header_lines(), "authorization: Basic zzz\r\n");
  EXPECT_THROW(Credentials("", {"sk-secret-without-colon"}), Error);
  EXPECT_THROW(Credentials("a\r\nX: y", {}), Error);
}

TEST(Credentials, TheClientsOwnHeadersAreRefusedByName) {
  for (const char* header : {"Content-Length: 5", "host: x", "TRANSFER-ENCODING: chunked", "Connection: close",
                             "Content-Type : text/plain", "Accept-Encoding: gzip", "Expect: 100-continue"}) {
    const std::string name = std::string(header).substr(0, std::string(header).find_first_of(" :"));
    try {
      Credentials("", {header});
      ADD_FAILURE() << header;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
      EXPECT_EQ(error.status(), ExitStatus::unusable_input);
    }
  }
  EXPECT_NO_THROW(Credentials("", {"X-Host: x", "Accept: text/event-stream"}));
}

TEST(Credentials, TheEndpointsOwnHeaders) {
  const EndpointHeaders own{"anthropic-version", "2023-06-01", "x-api-key"};
  EXPECT_EQ(Credentials("", {}, own).header_lines(), "anthropic-version: 2023-06-01\r\n");
  EXPECT_EQ(Credentials("k", {}, own).header_lines(),
            "anthropic-version: 2023-06-01\r\nAuthorization: Bearer k\r\nx-api-key: k\r\n");
  EXPECT_EQ(Credentials("k", {"Anthropic-Version: 2", "X-Api-Key: mine"}, own).header_lines(),
            "Anthropic-Version: 2\r\nX-Api-Key: mine\r\n");
}

TEST(Credentials, Scrubbed) {
  const Credentials credentials("sk-12345678", {"X-Key: Bearer abcdefgh", "X-Tenant: acme-corp"});
  EXPECT_EQ(credentials.scrubbed("acme-corp"), "***") << "whatever the header's name";
  EXPECT_EQ(credentials.scrubbed("key sk-12345678 and abcdefgh, sk-12345678"), "key *** and ***, ***");
}

TEST(Prometheus, SumsSeriesOfTheExactName) {
  const std::string_view text =
      "# TYPE a_total counter\na_total{x=\"}\\\"\",y=\"1\"} 3\na_total{x=\"b\"} 4.5 1700000000\n"
      "a_total_more 100\na 7\nb_total NaN\nc_total 1e3\n";
  EXPECT_EQ(prometheus_sum(text, "a_total"), 7.5);
  EXPECT_EQ(prometheus_sum(text, "a"), 7);
  EXPECT_EQ(prometheus_sum(text, "c_total"), 1000);
  EXPECT_EQ(prometheus_sum(text, "b_total"), std::nullopt);
  EXPECT_EQ(prometheus_sum(text, "missing"), std::nullopt);
}

TEST(Dialects, AreRecognised) {
  EXPECT_EQ(recognised_dialect("vllm", "uvicorn").name, "vllm");
  EXPECT_EQ(recognised_dialect("llamacpp", "").name, "llama.cpp");
  EXPECT_EQ(recognised_dialect("somebody", "llama.cpp").name, "llama.cpp");
  EXPECT_EQ(recognised_dialect("nvidia", "").name, "dynamo");
  EXPECT_EQ(recognised_dialect("", "").name, "plain");
  EXPECT_FALSE(dialect_named("plain").ignore_eos);
  EXPECT_FALSE(dialect_named("llama.cpp").min_tokens);
  EXPECT_THROW(dialect_named("vlm"), Error);
}

TEST(Dialects, VllmFingerprint) {
  std::vector<Fact> facts;
  read_vllm_fingerprint("vllm-0.32.0-tp8-dp2-aeb84e36", facts);
  ASSERT_EQ(facts.size(), 4u);
  EXPECT_EQ(facts[0].value, "0.32.0");
  EXPECT_EQ(facts[1].value, "8");
  EXPECT_EQ(facts[2].value, "1");
  EXPECT_EQ(facts[3].value, "2");
}

TEST(ServerFacts, FlagsWithoutSecrets) {
  std::vector<Fact> facts;
  add_told_flags(
      facts,
      nlohmann::json::parse(
          R"({"a": 1, "b": {"c": true, "hf_token": "x"}, "api_key": "y", "max_tokens": 5, "n": null, "l": [1]})"));
  ASSERT_EQ(facts.size(), 3u);
  EXPECT_EQ(facts[0].key, "flags.a");
  EXPECT_EQ(facts[1].key, "flags.b.c");
  EXPECT_EQ(facts[1].value, "true");
  EXPECT_EQ(facts[2].key, "flags.max_tokens");
}

TEST(Words, AreDifferent) {
  const auto words = common_words();
  EXPECT_GE(words.size(), 256u);
  EXPECT_EQ(std::set<std::string_view>(words.begin(), words.end()).size(), words.size());
}

Plan plan_of_two() {
  Plan plan;
  plan.block_size = 16;
  plan.blocks = {7, 8, 7, 9};
  plan.requests.resize(2);
  for (std::uint64_t i = 0; i < 2; ++i) {
    Request& request = plan.requests[i].request;
    request.prompt = {Tokens(40), 2 * i, 2, 0, i + 1};
    request.completion = Tokens(12);
  }
  return plan;
}

TEST(Body, TokenIds) {
  Target target;
  target.model = "m";
  target.token_ids = true;
  target.sends_ignore_eos = true;
  target.sends_min_tokens = true;
  target.vocabulary = {500, 10};
  const BodyWriter write = body_writer(target, 3);
  std::string body = "left over";
  write(plan_of_two(), 0, body);
  const auto first = nlohmann::json::parse(body);
  write(plan_of_two(), 1, body);
  const auto second = nlohmann::json::parse(body);
  ASSERT_EQ(first["prompt"].size(), 40u);
  for (const auto& token : first["prompt"]) {
    EXPECT_GE(token, 500);
    EXPECT_LT(token, 510);
  }
  const auto tokens_of = [](const nlohmann::json& from, std::size_t start, std::size_t count) {
    std::vector<int> tokens = from["prompt"];
    return std::vector<int>(tokens.begin() + static_cast<std::ptrdiff_t>(start),
                            tokens.begin() + static_cast<std::ptrdiff_t>(start + count));
  };
  EXPECT_EQ(tokens_of(first, 0, 16), tokens_of(second, 0, 16));    // block 7 is shared
  EXPECT_NE(tokens_of(first, 16, 16), tokens_of(second, 16, 16));  // 8 and 9 differ
  EXPECT_EQ(first["max_tokens"], 12);
  EXPECT_EQ(first["min_tokens"], 12);
  EXPECT_EQ(first["ignore_eos"], true);
  EXPECT_EQ(first["stream_options"]["include_usage"], true);
}

TEST(Body, WordsHitTheLengthAndKeepSharing) {
  Target target;
  target.model = "m";
  target.endpoint = Endpoint::chat;
  target.tokens_per_word = 1.25;
  target.template_tokens = 10;
  target.extra_members = R"("top_k":1,"temperature":0.5)";
  target.keeps_temperature = true;
  const BodyWriter write = body_writer(target, 3);
  std::string one, other;
  write(plan_of_two(), 0, one);
  write(plan_of_two(), 1, other);
  const auto body = nlohmann::json::parse(one);
  const std::string text = body["messages"][0]["content"],
                    text_of_other = nlohmann::json::parse(other)["messages"][0]["content"];
  EXPECT_EQ(std::count(text.begin(), text.end(), ' ') + 1, 24);  // (40 - 10) / 1.25
  std::size_t same = 0, words = 0;
  while (same < text.size() && text[same] == text_of_other[same]) words += text[same++] == ' ';
  EXPECT_GE(words, 13u);  // the shared block: 16 / 1.25
  EXPECT_LT(words, 20u);
  EXPECT_EQ(body["temperature"], 0.5);
  EXPECT_EQ(one.find("\"temperature\":0,"), std::string::npos);
  EXPECT_EQ(body["top_k"], 1);
  EXPECT_FALSE(body.contains("ignore_eos"));
  EXPECT_FALSE(body.contains("min_tokens"));
}

}  // namespace
}  // namespace loadline
