// The probe of every endpoint, against servers that answer in its shape.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "target/scripted_server_test.h"
#include "target/target.h"

namespace loadline {
namespace {

using nlohmann::json;

constexpr std::int64_t added_by_template = 5;

/// What a request asked for, as the server understood it.
struct AskedOf {
  std::int64_t prompt_tokens = 0, answered = 0;
};

/// Words count 1 token each, and 5 for the template; ids are counted; forced lengths are obeyed.
AskedOf understand(const json& body, const char* prompt, const char* length, const char* ignore_eos) {
  const json& asked = body.at(json::json_pointer(prompt));
  AskedOf out;
  if (asked.is_array()) {
    out.prompt_tokens = static_cast<std::int64_t>(asked.size());
  } else {
    const std::string text = asked;
    out.prompt_tokens = std::count(text.begin(), text.end(), ' ') + 1 + added_by_template;
  }
  const bool forced = *ignore_eos != '\0' && body.value(json::json_pointer(ignore_eos), false);
  if (*length != '\0') {
    const std::int64_t most = body.at(json::json_pointer(length));
    out.answered = forced ? most : std::min<std::int64_t>(most, 7);
  }
  return out;
}

std::string event(const json& data, const std::string& type = "") {
  return (type.empty() ? "" : "event: " + type + "\n") + "data: " + data.dump() + "\n\n";
}

/// One endpoint, as a server offers it.
struct ScriptedEndpoint {
  const char *type, *path, *prompt, *length, *ignore_eos;
  bool token_ids, forced;
  std::function<std::string(const AskedOf&)> stream;
  const char* whole_path;
  std::function<json(const AskedOf&)> whole;
};

std::vector<ScriptedEndpoint> scripted_endpoints() {
  const auto openai_usage = [](const AskedOf& asked) {
    return json{{"prompt_tokens", asked.prompt_tokens}, {"completion_tokens", asked.answered}};
  };
  const auto io_usage = [](const AskedOf& asked) {
    return json{{"input_tokens", asked.prompt_tokens}, {"output_tokens", asked.answered}};
  };
  std::vector<ScriptedEndpoint> rows;
  rows.push_back(
      {"chat", "/v1/chat/completions", "/messages/0/content", "/max_tokens", "", false, false,
       [=](const AskedOf& asked) {
         return event({{"choices", {{{"delta", {{"role", "assistant"}, {"content", ""}}}}}}}) +
                event({{"choices", {{{"delta", {{"content", "x"}}}, {"finish_reason", "stop"}}}}}) +
                event({{"choices", json::array()}, {"usage", openai_usage(asked)}}) + "data: [DONE]\n\n";
       },
       "/v1/chat/completions",
       [=](const AskedOf& asked) {
         return json{{"choices", {{{"message", {{"role", "assistant"}, {"content", "x"}}}, {"finish_reason", "stop"}}}},
                     {"usage", openai_usage(asked)}};
       }});
  rows.push_back({"responses", "/v1/responses", "/input", "/max_output_tokens", "", false, false,
                  [=](const AskedOf& asked) {
                    const json created = {{"type", "response.created"}, {"response", {{"status", "in_progress"}}}};
                    const json delta = {{"type", "response.output_text.delta"}, {"delta", "x"}};
                    const json completed = {{"type", "response.completed"},
                                            {"response", {{"status", "completed"}, {"usage", io_usage(asked)}}}};
                    return event(created, "response.created") + event(delta, "response.output_text.delta") +
                           event(completed, "response.completed");
                  },
                  "/v1/responses",
                  [=](const AskedOf& asked) {
                    const json item = {{"type", "message"}, {"content", {{{"type", "output_text"}, {"text", "x"}}}}};
                    return json{{"status", "completed"}, {"output", json::array({item})}, {"usage", io_usage(asked)}};
                  }});
  rows.push_back(
      {"messages", "/v1/messages", "/messages/0/content", "/max_tokens", "", false, false,
       [=](const AskedOf& asked) {
         const json start = {{"type", "message_start"},
                             {"message", {{"usage", {{"input_tokens", asked.prompt_tokens}, {"output_tokens", 1}}}}}};
         const json delta = {{"type", "content_block_delta"}, {"delta", {{"text", "x"}}}};
         const json end = {{"type", "message_delta"},
                           {"delta", {{"stop_reason", "max_tokens"}}},
                           {"usage", {{"output_tokens", asked.answered}}}};
         return event(start, "message_start") + event({{"type", "ping"}}, "ping") +
                event(delta, "content_block_delta") + event(end, "message_delta") +
                event({{"type", "message_stop"}}, "message_stop");
       },
       "/v1/messages",
       [=](const AskedOf& asked) {
         return json{
             {"content", {{{"type", "text"}, {"text", "x"}}}}, {"stop_reason", "end_turn"}, {"usage", io_usage(asked)}};
       }});
  rows.push_back(
      {"tgi", "/generate_stream", "/inputs", "/parameters/max_new_tokens", "", false, false,
       [](const AskedOf& asked) {
         const json last = {{"token", {{"id", 2}, {"text", "y"}}},
                            {"generated_text", "xy"},
                            {"details",
                             {{"finish_reason", "length"},
                              {"generated_tokens", asked.answered},
                              {"input_length", asked.prompt_tokens}}}};
         return event({{"token", {{"id", 1}, {"text", "x"}}}, {"generated_text", nullptr}}) + event(last);
       },
       "/generate",
       [](const AskedOf& asked) {
         return json{
             {"generated_text", "xy"},
             {"details",
              {{"generated_tokens", asked.answered},
               {"prefill", std::vector<json>(static_cast<std::size_t>(asked.prompt_tokens), json{{"id", 1}})}}}};
       }});
  const auto meta = [](const AskedOf& asked, std::int64_t so_far, const json& reason) {
    return json{{"text", std::string(static_cast<std::size_t>(so_far), 'x')},
                {"meta_info",
                 {{"prompt_tokens", asked.prompt_tokens}, {"completion_tokens", so_far}, {"finish_reason", reason}}}};
  };
  rows.push_back({"sglang", "/generate", "/input_ids", "/sampling_params/max_new_tokens", "/sampling_params/ignore_eos",
                  true, true,
                  [=](const AskedOf& asked) {
                    return event(meta(asked, 1, nullptr)) + event(meta(asked, asked.answered, {{"type", "length"}})) +
                           "data: [DONE]\n\n";
                  },
                  "/generate",
                  [=](const AskedOf& asked) { return meta(asked, asked.answered, {{"type", "length"}}); }});
  const auto native = [](const AskedOf& asked, std::int64_t so_far, bool stop) {
    return json{{"content", stop ? "" : "x"},
                {"tokens", stop ? json::array() : json::array({1})},
                {"stop", stop},
                {"tokens_predicted", so_far},
                {"tokens_evaluated", asked.prompt_tokens}};
  };
  rows.push_back({"llamacpp", "/completion", "/prompt", "/n_predict", "/ignore_eos", true, true,
                  [=](const AskedOf& asked) {
                    return event(native(asked, 1, false)) + event(native(asked, asked.answered, true));
                  },
                  "/completion",
                  [=](const AskedOf& asked) {
                    json body = native(asked, asked.answered, true);
                    body["content"] = "x";
                    return body;
                  }});
  const auto ollama_end = [](const AskedOf& asked, const char* text) {
    return json{{"message", {{"role", "assistant"}, {"content", text}}},
                {"done", true},
                {"done_reason", "length"},
                {"prompt_eval_count", asked.prompt_tokens},
                {"eval_count", asked.answered}};
  };
  rows.push_back({"ollama", "/api/chat", "/messages/0/content", "/options/num_predict", "", false, false,
                  [=](const AskedOf& asked) {
                    return json{{"message", {{"role", "assistant"}, {"content", "x"}}}, {"done", false}}.dump() + "\n" +
                           ollama_end(asked, "").dump() + "\n";
                  },
                  "/api/chat", [=](const AskedOf& asked) { return ollama_end(asked, "x"); }});
  return rows;
}

ScriptedServer::Answer server_of(const ScriptedEndpoint& endpoint, bool streams) {
  return [endpoint, streams](const ScriptedRequest& request) -> std::string {
    if (request.path == "/v1/models") return ScriptedServer::json(200, R"({"data": [{"id": "m"}]})");
    if (request.path != (streams ? endpoint.path : endpoint.whole_path)) return ScriptedServer::json(404, "{}");
    const json body = json::parse(request.body);
    const char* prompt = body.contains("text") ? "/text" : endpoint.prompt;
    const AskedOf asked = understand(body, prompt, endpoint.length, endpoint.ignore_eos);
    return streams ? ScriptedServer::stream(endpoint.stream(asked))
                   : ScriptedServer::json(200, endpoint.whole(asked).dump());
  };
}

TargetSettings settings_of(const ScriptedServer& server, const std::string& type) {
  TargetSettings settings;
  settings.urls = {server.url()};
  settings.endpoint_type = type;
  settings.request_timeout = std::chrono::seconds(20);
  return settings;
}

std::string trouble_of(const TargetSettings& settings) {
  try {
    probe(settings);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ProbeEndpoints, EachIsReadInItsOwnShape) {
  for (const ScriptedEndpoint& endpoint : scripted_endpoints()) {
    SCOPED_TRACE(endpoint.type);
    ScriptedServer server(server_of(endpoint, true));
    const Target target = probe(settings_of(server, endpoint.type));
    EXPECT_EQ(target.endpoint, endpoint_named(endpoint.type));
    EXPECT_TRUE(target.streamed);
    EXPECT_EQ(target.token_ids, endpoint.token_ids);
    EXPECT_EQ(target.forced_lengths, endpoint.forced);
    EXPECT_TRUE(target.reports_usage);
    EXPECT_EQ(request_path(target, target.servers[0]), endpoint.path);
    if (endpoint.token_ids) continue;
    EXPECT_TRUE(target.exact_text) << "words of one token each are found by the server's counts";
    EXPECT_EQ(target.template_tokens, added_by_template);
  }
}

TEST(ProbeEndpoints, EachInOnePiece) {
  for (const ScriptedEndpoint& endpoint : scripted_endpoints()) {
    SCOPED_TRACE(endpoint.type);
    ScriptedServer server(server_of(endpoint, false));
    TargetSettings settings = settings_of(server, endpoint.type);
    settings.stream = false;
    const Target target = probe(settings);
    EXPECT_FALSE(target.streamed);
    EXPECT_EQ(target.token_ids, endpoint.token_ids);
    EXPECT_EQ(target.forced_lengths, endpoint.forced);
    EXPECT_TRUE(target.reports_usage);
    EXPECT_EQ(request_path(target, target.servers[0]), endpoint.whole_path);
  }
}

TEST(ProbeEndpoints, PiecesWhereOneWasAskedForAreRefused) {
  const std::vector<ScriptedEndpoint> rows = scripted_endpoints();
  ScriptedServer streaming(server_of(rows.front(), true));
  TargetSettings settings = settings_of(streaming, "chat");
  settings.stream = false;
  EXPECT_NE(trouble_of(settings).find("leave out --no-stream"), std::string::npos) << trouble_of(settings);

  ScriptedServer whole(server_of(rows.front(), false));
  EXPECT_NE(trouble_of(settings_of(whole, "chat")).find("--no-stream"), std::string::npos);
}

TEST(ProbeEndpoints, AnotherEndpointsAnswerIsRefused) {
  const std::vector<ScriptedEndpoint> rows = scripted_endpoints();
  for (const ScriptedEndpoint& endpoint : rows) {
    SCOPED_TRACE(endpoint.type);
    // Everybody's routes answer as the embeddings of somebody else would.
    ScriptedServer server([](const ScriptedRequest& request) -> std::string {
      if (request.path == "/v1/models") return ScriptedServer::json(200, R"({"data": [{"id": "m"}]})");
      return ScriptedServer::stream("data: {\"embedding\": [1]}\n\n");
    });
    EXPECT_NE(trouble_of(settings_of(server, endpoint.type)).find("fails a small request"), std::string::npos);
  }
}

TEST(ProbeEndpoints, Embeddings) {
  bool takes_ids = true;
  ScriptedServer server([&](const ScriptedRequest& request) -> std::string {
    if (request.path == "/v1/models")
      return ScriptedServer::json(200, R"({"data": [{"id": "m", "owned_by": "vllm"}]})");
    if (request.path != "/v1/embeddings") return ScriptedServer::json(404, "{}");
    const json body = json::parse(request.body);
    EXPECT_EQ(body.size(), 2u) << body;
    if (!takes_ids && body["input"].is_array()) return ScriptedServer::json(400, "{}");
    const AskedOf asked = understand(body, "/input", "", "");
    return ScriptedServer::json(
        200, json{{"data", {{{"embedding", {0.5, 1}}}}}, {"usage", {{"prompt_tokens", asked.prompt_tokens}}}}.dump());
  });
  const Target by_ids = probe(settings_of(server, "embeddings"));
  EXPECT_TRUE(by_ids.token_ids);
  EXPECT_FALSE(by_ids.streamed);
  EXPECT_FALSE(by_ids.forced_lengths);
  EXPECT_TRUE(by_ids.reports_usage);
  EXPECT_TRUE(by_ids.remarks.empty());
  takes_ids = false;
  const Target by_words = probe(settings_of(server, "embeddings"));
  EXPECT_TRUE(by_words.exact_text);
  EXPECT_EQ(by_words.template_tokens, added_by_template);
}

TEST(ProbeEndpoints, AnOwnRouteTellsTheEngineWhereTheServerDoesNot) {
  const std::vector<ScriptedEndpoint> rows = scripted_endpoints();
  const std::pair<std::string, std::string> engines[] = {
      {"tgi", "tgi"}, {"sglang", "sglang"}, {"llamacpp", "llama.cpp"}, {"ollama", "ollama"}, {"chat", "plain"}};
  for (const auto& [type, engine] : engines) {
    const auto row = std::ranges::find_if(rows, [&](const ScriptedEndpoint& each) { return each.type == type; });
    ScriptedServer server(server_of(*row, true));
    EXPECT_EQ(probe(settings_of(server, type)).engine, engine) << type;
  }
}

TEST(ProbeEndpoints, AnthropicHeadersGoWithEveryRequest) {
  ScriptedServer server(server_of(scripted_endpoints()[2], true));
  TargetSettings settings = settings_of(server, "anthropic");
  settings.api_key = "k-secret";
  probe(settings);
  for (const ScriptedRequest& request : server.requests()) {
    EXPECT_NE(request.head.find("anthropic-version: 2023-06-01\r\n"), std::string::npos) << request.head;
    EXPECT_NE(request.head.find("x-api-key: k-secret\r\n"), std::string::npos) << request.head;
  }
}

std::string told(const Target& target, std::string_view key) {
  const auto fact = std::ranges::find(target.facts, key, &Fact::key);
  return fact == target.facts.end() ? "" : fact->value;
}

TEST(ProbeEndpoints, TgiAndOllamaTellFacts) {
  const std::vector<ScriptedEndpoint> rows = scripted_endpoints();
  ScriptedServer tgi([&](const ScriptedRequest& request) -> std::string {
    if (request.path == "/info") {
      return ScriptedServer::json(
          200, R"({"model_sha": "abc", "version": "3.3.6", "sha": "deadbeef", "max_total_tokens": 4096})");
    }
    return server_of(rows[3], true)(request);
  });
  const Target from_tgi = probe(settings_of(tgi, "tgi"));
  EXPECT_EQ(told(from_tgi, "engine.version"), "3.3.6");
  EXPECT_EQ(told(from_tgi, "model.revision"), "abc");
  EXPECT_EQ(from_tgi.context_limit, Tokens(4096));

  ScriptedServer ollama([&](const ScriptedRequest& request) -> std::string {
    if (request.path == "/api/version") return ScriptedServer::json(200, R"({"version": "0.12.1"})");
    if (request.path == "/api/tags") {
      return ScriptedServer::json(200, R"({"models": [{"name": "other", "digest": "1"},
        {"name": "m:latest", "digest": "9f", "details": {"quantization_level": "Q4_K_M"}}]})");
    }
    if (request.path == "/api/ps") {
      return ScriptedServer::json(200, R"({"models": [{"name": "m:latest", "context_length": 8192}]})");
    }
    return server_of(rows.back(), true)(request);
  });
  const Target from_ollama = probe(settings_of(ollama, "ollama"));
  EXPECT_EQ(told(from_ollama, "engine.version"), "0.12.1");
  EXPECT_EQ(told(from_ollama, "model.revision"), "9f");
  EXPECT_EQ(told(from_ollama, "model.quantization"), "Q4_K_M");
  EXPECT_EQ(from_ollama.context_limit, Tokens(8192));
}

}  // namespace
}  // namespace loadline
