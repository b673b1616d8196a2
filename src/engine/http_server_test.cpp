#include "engine/http_server.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "core/error.h"
#include "engine/blocking_client_test.h"

namespace loadline {
namespace {

using nlohmann::json;
using std::chrono::steady_clock;

using Client = BlockingClient;

class HttpServer : public testing::Test {
 protected:
  void SetUp() override { server_.start(); }
  void TearDown() override { server_.stop(); }
  double metric(std::string_view name) {
    const std::string text = Client(server_.port()).get("/metrics").body;
    const std::size_t at = text.find(fmt::format("\n{}{{", name));
    if (at == text.npos) return -1;
    return std::stod(text.substr(text.find("} ", at) + 2));
  }
  EngineServer server_{EngineParameters{}, 50};
};

TEST_F(HttpServer, says_who_it_is) {
  Client client(server_.port());
  EXPECT_EQ(client.get("/health").status, 200);
  EXPECT_EQ(client.get("/version").parsed()["version"], LOADLINE_VERSION);
  const json model = client.get("/v1/models").parsed()["data"][0];
  EXPECT_EQ(model["id"], "loadline-engine");
  EXPECT_EQ(model["owned_by"], "loadline");
  EXPECT_EQ(model["max_model_len"], 32768);
  const json info = client.get("/server_info").parsed();
  EXPECT_EQ(info["simulated"], true);
  EXPECT_EQ(info["speed"], 50.0);
  EXPECT_EQ(info["parameters"]["token_budget"], 184);
  EXPECT_EQ(info["parameters"]["prefix_cache"], true);
  EXPECT_DOUBLE_EQ(info["parameters"]["kv_read_s"], 6e-9);
  EXPECT_EQ(client.post("/tokenize", R"({"prompt":"a b c"})").parsed()["tokens"].size(), 3u);
  EXPECT_EQ(server_.url(), fmt::format("http://127.0.0.1:{}", server_.port()));
}

TEST_F(HttpServer, streams_a_completion) {
  Client client(server_.port());
  const Answer answer = client.post(
      "/v1/completions",
      R"({"model":"loadline-engine","prompt":[1,2,3],"max_tokens":5,"stream":true,"stream_options":{"include_usage":true}})");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.content_type, "text/event-stream");
  EXPECT_TRUE(answer.kept);
  const auto events = events_of(answer.body);
  ASSERT_EQ(events.size(), 7u);
  std::set<std::string> ids;
  for (std::size_t i = 0; i < 5; ++i) {
    const json event = json::parse(events[i]);
    EXPECT_EQ(event["object"], "text_completion");
    EXPECT_FALSE(event["choices"][0]["text"].get<std::string>().empty());
    EXPECT_EQ(event["choices"][0]["finish_reason"], i < 4 ? json(nullptr) : json("length"));
    ids.insert(event["id"]);
  }
  EXPECT_EQ(ids.size(), 1u);
  const json last = json::parse(events[5]);
  EXPECT_TRUE(last["choices"].empty());
  EXPECT_EQ(last["usage"]["prompt_tokens"], 3);
  EXPECT_EQ(last["usage"]["completion_tokens"], 5);
  EXPECT_EQ(last["usage"]["total_tokens"], 8);
  EXPECT_EQ(last["usage"]["prompt_tokens_details"]["cached_tokens"], 0);
  EXPECT_EQ(last["system_fingerprint"].get<std::string>().rfind("loadline-engine-", 0), 0u);
  EXPECT_EQ(events[6], "[DONE]");
}

TEST_F(HttpServer, streams_a_chat_with_its_role_first) {
  Client client(server_.port());
  const Answer answer =
      client.post("/v1/chat/completions",
                  R"({"messages":[{"role":"user","content":"hello there"}],"max_tokens":1,"stream":true,
                                        "stream_options":{"continuous_usage_stats":true}})");
  const auto events = events_of(answer.body);
  ASSERT_EQ(events.size(), 3u);
  const json role = json::parse(events[0]), token = json::parse(events[1]);
  EXPECT_EQ(role["object"], "chat.completion.chunk");
  EXPECT_EQ(role["choices"][0]["delta"], (json{{"role", "assistant"}, {"content", ""}}));
  EXPECT_EQ(role["usage"]["completion_tokens"], 0);
  EXPECT_FALSE(token["choices"][0]["delta"]["content"].get<std::string>().empty());
  EXPECT_EQ(token["choices"][0]["finish_reason"], "length");
  EXPECT_EQ(token["usage"], (json{{"prompt_tokens", 6}, {"total_tokens", 7}, {"completion_tokens", 1}}));
  EXPECT_EQ(events[2], "[DONE]");
}

TEST_F(HttpServer, counts_on_while_it_streams) {
  Client client(server_.port());
  const auto events = events_of(
      client
          .post("/v1/completions",
                R"({"prompt":"a b","max_tokens":12,"stream":true,"stream_options":{"continuous_usage_stats":true}})")
          .body);
  ASSERT_EQ(events.size(), 13u);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(json::parse(events[i])["usage"]["completion_tokens"], i + 1);
}

TEST_F(HttpServer, answers_in_one_piece) {
  Client client(server_.port());
  const json text = client.post("/v1/completions", R"({"prompt":"a b c"})").parsed();
  EXPECT_EQ(text["usage"]["completion_tokens"], 16);
  EXPECT_EQ(text["choices"][0]["finish_reason"], "length");
  const json chat =
      client.post("/v1/chat/completions", R"({"messages":[{"role":"user","content":"a"}],"max_tokens":2})").parsed();
  EXPECT_EQ(chat["object"], "chat.completion");
  EXPECT_EQ(chat["choices"][0]["message"]["content"], " token token");
  EXPECT_EQ(chat["usage"]["prompt_tokens"], 5);
}

TEST_F(HttpServer, refuses_and_goes_on_with_the_connection) {
  Client client(server_.port());
  const auto refused = [&](const Answer& answer, int status) {
    EXPECT_EQ(answer.status, status);
    EXPECT_FALSE(answer.parsed()["error"]["message"].get<std::string>().empty());
    EXPECT_TRUE(answer.kept);
  };
  refused(client.post("/v1/completions", "{nonsense"), 400);
  refused(client.post("/v1/completions", R"({"prompt":[1],"model":"other"})"), 404);
  refused(client.post("/v1/completions", R"({"prompt":[1],"max_tokens":40000})"), 400);
  refused(client.post("/v1/completions", R"({"prompt":[1],"max_tokens":9223372036854775807})"), 400);
  refused(client.get("/nowhere"), 404);
  refused(client.get("/v1/completions"), 405);
  EXPECT_EQ(client.post("/v1/completions", R"({"prompt":[1],"max_tokens":1})").status, 200);
}

TEST_F(HttpServer, closes_after_what_is_not_http) {
  Client client(server_.port());
  client.send("NONSENSE\r\n\r\n");
  const Answer answer = client.receive();
  EXPECT_EQ(answer.status, 400);
  EXPECT_FALSE(answer.kept);
  EXPECT_TRUE(client.at_end());
}

TEST_F(HttpServer, honours_connection_close) {
  Client client(server_.port());
  const Answer answer =
      client.post("/v1/completions", R"({"prompt":[1],"max_tokens":3,"stream":true})", "Connection: close\r\n");
  EXPECT_EQ(answer.status, 200);
  EXPECT_FALSE(answer.kept);
  EXPECT_TRUE(client.at_end());
}

TEST_F(HttpServer, answers_pipelined_requests_in_order) {
  Client client(server_.port());
  client.send(Client::post_bytes("/v1/completions", R"({"prompt":[1],"max_tokens":3})") +
              Client::post_bytes("/v1/completions", R"({"prompt":[1],"max_tokens":2,"stream":true})") +
              "GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(client.receive().parsed()["usage"]["completion_tokens"], 3);
  EXPECT_EQ(events_of(client.receive().body).size(), 3u);
  EXPECT_EQ(client.receive().body, "{}");
}

TEST_F(HttpServer, lets_a_waiting_client_continue) {
  Client client(server_.port());
  client.send("POST /tokenize HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 14\r\n\r\n");
  client.send(R"({"prompt":"a"})");
  EXPECT_EQ(client.receive().parsed()["count"], 1);
}

TEST_F(HttpServer, finds_what_prompts_share_until_it_is_reset) {
  Client client(server_.port());
  std::string ids = "1";
  for (int i = 2; i <= 50; ++i) ids += fmt::format(",{}", i);
  const auto cached = [&] {
    const json answer =
        client.post("/v1/completions", fmt::format(R"({{"prompt":[{}],"max_tokens":2}})", ids)).parsed();
    return answer["usage"]["prompt_tokens_details"]["cached_tokens"].get<int>();
  };
  EXPECT_EQ(cached(), 0);
  EXPECT_EQ(cached(), 48);
  EXPECT_EQ(metric("vllm:prefix_cache_hits_total"), 48);
  EXPECT_EQ(metric("vllm:prefix_cache_queries_total"), 100);
  EXPECT_EQ(client.post("/reset_prefix_cache", "").parsed()["success"], true);
  EXPECT_EQ(cached(), 0);
}

TEST_F(HttpServer, takes_the_longest_prompt) {
  std::string ids = "100000";
  for (int i = 1; i < 25'600; ++i) ids += fmt::format(",{}", 100'000 + i);
  const Answer answer =
      Client(server_.port()).post("/v1/completions", fmt::format(R"({{"prompt":[{}],"max_tokens":1}})", ids));
  EXPECT_EQ(answer.parsed()["usage"]["prompt_tokens"], 25'600);
}

TEST_F(HttpServer, a_client_that_leaves_cancels_its_request) {
  Client client(server_.port());
  client.send(Client::post_bytes("/v1/completions", R"({"prompt":[1],"max_tokens":30000,"stream":true})"));
  for (int i = 0; i < 500 && metric("vllm:num_requests_running") != 1; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ASSERT_EQ(metric("vllm:num_requests_running"), 1);
  EXPECT_EQ(Client(server_.port()).post("/reset_prefix_cache", "").parsed()["success"], false);
  client.close();
  for (int i = 0; i < 500 && metric("vllm:num_requests_running") != 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_EQ(metric("vllm:num_requests_running"), 0);
  EXPECT_EQ(metric("loadline:requests_aborted_total"), 1);
  EXPECT_EQ(metric("vllm:kv_cache_usage_perc"), 0);
}

TEST_F(HttpServer, serves_many_at_once) {
  constexpr int users = 40;
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < users; ++i) {
    clients.push_back(std::make_unique<Client>(server_.port()));
    clients.back()->send(Client::post_bytes(
        "/v1/completions",
        fmt::format(R"({{"prompt":[{}],"max_tokens":{},"stream":true,"stream_options":{{"include_usage":true}}}})", i,
                    20 + i)));
  }
  for (int i = 0; i < users; ++i)
    EXPECT_EQ(events_of(clients[static_cast<std::size_t>(i)]->receive().body).size(), static_cast<std::size_t>(22 + i));
  EXPECT_EQ(metric("vllm:request_success_total"), users);
  EXPECT_EQ(metric("vllm:generation_tokens_total"), users * 20 + users * (users - 1) / 2);
  EXPECT_EQ(metric("vllm:prompt_tokens_total"), users);
  EXPECT_EQ(metric("vllm:time_to_first_token_seconds_count"), users);
  EXPECT_GE(metric("loadline:engine_lag_s"), 0);
}

TEST(HttpServerTime, is_never_ahead_of_the_engine) {
  // 13.669878 ms of engine time at half the wall's speed.
  EngineServer server(EngineParameters{}, 0.5);
  server.start();
  Client client(server.port());
  std::string ids = "0";
  for (int i = 1; i < 100; ++i) ids += ",0";
  const auto sent = steady_clock::now();
  client.post("/v1/completions", fmt::format(R"({{"prompt":[{}],"max_tokens":3,"stream":true}})", ids));
  EXPECT_GE(steady_clock::now() - sent, Nanos(2 * 13'669'878));
  EXPECT_GT(server.lag().worst.count(), 0);
  server.stop();
}

TEST(HttpServerTime, tells_how_late_it_was) {
  // Steps of 4 ns on the wall: every delivery is late, the answer is whole all the same.
  EngineServer server(EngineParameters{}, 1e6);
  server.start();
  Client client(server.port());
  const Answer answer = client.post("/v1/completions", R"({"prompt":[1],"max_tokens":2000,"stream":true})");
  EXPECT_EQ(events_of(answer.body).size(), 2001u);
  EXPECT_GT(server.lag().worst, Nanos(0));
  server.stop();
}

TEST(HttpServerStart, refuses_what_cannot_be) {
  EXPECT_THROW(EngineServer(EngineParameters{}, 0), Error);
  EngineParameters parameters;
  parameters.kv_tokens = 3;
  EXPECT_THROW(EngineServer{parameters}, Error);
  EngineServer first(EngineParameters{});
  EXPECT_THROW(EngineServer(EngineParameters{}, 1, first.port()), Error);
}

}  // namespace
}  // namespace loadline
