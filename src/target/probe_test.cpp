#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "target/cache.h"
#include "target/scripted_server_test.h"
#include "target/target.h"

namespace loadline {
namespace {

using nlohmann::json;

/// What the scripted engine is like.
struct Habit {
  std::string models = R"({"data": [{"id": "m", "owned_by": "vllm", "max_model_len": 4096}]})";
  bool takes_token_ids = true, has_chat = true, obeys = true, counts = true, strict = false;
  int added_tokens = 0;  ///< to every prompt, as a template does
  std::string key;       ///< demanded
  int models_status = 200;
};

std::string generation(const Habit& habit, const json& body) {
  for (const char* field : {"ignore_eos", "min_tokens", "return_token_ids"}) {
    if (habit.strict && body.contains(field)) {
      return ScriptedServer::json(400, R"({"error": {"message": "Unsupported parameter"}})");
    }
  }
  std::int64_t prompt = habit.added_tokens;
  if (body.contains("messages")) {
    const std::string text = body["messages"][0]["content"];
    prompt += 2 * (std::count(text.begin(), text.end(), ' ') + 1);
  } else if (body["prompt"].is_array()) {
    if (!habit.takes_token_ids)
      return ScriptedServer::json(400, R"({"error": {"message": "prompt must be a string"}})");
    prompt += static_cast<std::int64_t>(body["prompt"].size());
  } else {
    const std::string text = body["prompt"];
    prompt += 2 * (std::count(text.begin(), text.end(), ' ') + 1);
  }
  const bool forced = habit.obeys && body.value("ignore_eos", false);
  const std::int64_t answered = forced ? body["max_tokens"].get<std::int64_t>() : 5;
  const std::string usage = habit.counts
                                ? "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":" + std::to_string(prompt) +
                                      ",\"completion_tokens\":" + std::to_string(answered) +
                                      "},\"system_fingerprint\":\"vllm-0.32.0-tp2-aa\"}\n\n"
                                : "";
  return ScriptedServer::stream(
      "data: {\"choices\":[{\"text\":\"x\",\"finish_reason\":null}]}\n\n"
      "data: {\"choices\":[{\"text\":\"y\",\"finish_reason\":\"length\"}]}\n\n" +
      usage + "data: [DONE]\n\n");
}

ScriptedServer::Answer engine_with(const Habit& habit) {
  return [habit](const ScriptedRequest& request) -> std::string {
    if (!habit.key.empty() && request.head.find("Authorization: Bearer " + habit.key + "\r\n") == std::string::npos) {
      return ScriptedServer::json(401, R"({"error": {"message": "bad key"}})");
    }
    if (request.path == "/v1/models") return ScriptedServer::json(habit.models_status, habit.models);
    if (request.path == "/version") return ScriptedServer::json(200, R"({"version": "0.32.0"})");
    if (request.path == "/v1/completions" || (request.path == "/v1/chat/completions" && habit.has_chat)) {
      return generation(habit, json::parse(request.body));
    }
    return ScriptedServer::json(404, R"({"error": {"message": "no such route"}})");
  };
}

TargetSettings settings_for(const ScriptedServer& server) {
  TargetSettings settings;
  settings.urls = {server.url()};
  settings.request_timeout = std::chrono::seconds(20);
  return settings;
}

std::string fact_of(const Target& target, std::string_view key) {
  for (const Fact& fact : target.facts) {
    if (fact.key == key) return fact.value;
  }
  return "";
}

struct ProbeRefusal {
  std::string text;
  ExitStatus status;
};
ProbeRefusal refusal_of(const TargetSettings& settings) {
  try {
    probe(settings);
  } catch (const Error& error) {
    return {error.what(), error.status()};
  }
  return {"", ExitStatus::valid};
}

TEST(Probe, TokenIdsAndForcedLengths) {
  ScriptedServer server(engine_with({}));
  const Target target = probe(settings_for(server));
  EXPECT_EQ(target.engine, "vllm");
  EXPECT_EQ(target.model, "m");
  EXPECT_EQ(target.endpoint, Endpoint::completions);
  EXPECT_TRUE(target.token_ids);
  EXPECT_TRUE(target.forced_lengths);
  EXPECT_TRUE(target.reports_usage);
  EXPECT_EQ(target.context_limit, Tokens(4096));
  EXPECT_EQ(fact_of(target, "engine.version"), "0.32.0");
  EXPECT_EQ(fact_of(target, "engine.build"), "vllm-0.32.0-tp2-aa");
  EXPECT_EQ(fact_of(target, "hardware.parallelism.tp"), "2");
  EXPECT_TRUE(target.remarks.empty());
  EXPECT_EQ(request_path(target, target.servers[0]), "/v1/completions");
  const json sent = json::parse(server.requests().back().body);
  EXPECT_EQ(sent["min_tokens"], sent["max_tokens"]);
}

TEST(Probe, ChatIsMeasuredByTwoPrompts) {
  Habit habit;
  habit.added_tokens = 7;
  ScriptedServer server(engine_with(habit));
  TargetSettings settings = settings_for(server);
  settings.endpoint_type = "chat";
  const Target target = probe(settings);
  EXPECT_EQ(target.endpoint, Endpoint::chat);
  EXPECT_FALSE(target.token_ids);
  EXPECT_DOUBLE_EQ(*target.tokens_per_word, 2);
  EXPECT_DOUBLE_EQ(target.template_tokens, 7);
  EXPECT_EQ(request_path(target, target.servers[0]), "/v1/chat/completions");
}

TEST(Probe, MiscountedTokenIdsAreNotTrusted) {
  Habit habit;
  habit.added_tokens = 1;  // a beginning-of-sequence token that the ids did not have
  ScriptedServer server(engine_with(habit));
  const Target target = probe(settings_for(server));
  EXPECT_FALSE(target.token_ids);
  EXPECT_EQ(target.endpoint, Endpoint::chat);
}

TEST(Probe, TextCompletionsWhereThereIsNothingElse) {
  Habit habit;
  habit.takes_token_ids = habit.has_chat = false;
  ScriptedServer server(engine_with(habit));
  const Target target = probe(settings_for(server));
  EXPECT_EQ(target.endpoint, Endpoint::completions);
  EXPECT_FALSE(target.token_ids);
  EXPECT_DOUBLE_EQ(*target.tokens_per_word, 2);
}

TEST(Probe, UnknownEnginesGetNoUnknownFields) {
  Habit habit;
  habit.models = R"({"data": [{"id": "m", "owned_by": "acme"}]})";
  habit.strict = true;
  ScriptedServer server(engine_with(habit));
  const Target target = probe(settings_for(server));
  EXPECT_EQ(target.engine, "plain");
  EXPECT_TRUE(target.token_ids);
  EXPECT_FALSE(target.forced_lengths);
  EXPECT_EQ(fact_of(target, "engine.name"), "");
}

TEST(Probe, DisobedienceAndMissingCountsAreRemarked) {
  Habit habit;
  habit.obeys = false;
  ScriptedServer disobedient(engine_with(habit));
  const Target target = probe(settings_for(disobedient));
  EXPECT_FALSE(target.forced_lengths);
  ASSERT_EQ(target.remarks.size(), 1u);

  habit.counts = false;
  ScriptedServer silent(engine_with(habit));
  const Target uncounted = probe(settings_for(silent));
  EXPECT_FALSE(uncounted.token_ids);
  EXPECT_FALSE(uncounted.reports_usage);
  EXPECT_FALSE(uncounted.tokens_per_word);
  EXPECT_GE(uncounted.remarks.size(), 2u);
}

TEST(Probe, KeysAreDemandedSentAndNeverShown) {
  Habit habit;
  habit.key = "sk-very-secret";
  ScriptedServer server(engine_with(habit));
  TargetSettings settings = settings_for(server);
  ProbeRefusal refused = refusal_of(settings);
  EXPECT_EQ(refused.status, ExitStatus::unusable_target);
  EXPECT_NE(refused.text.find("--api-key"), std::string::npos);
  settings.api_key = "sk-very-secret";
  const Target target = probe(settings);
  EXPECT_TRUE(target.token_ids);
  for (const Fact& fact : target.facts) EXPECT_EQ(fact.value.find("secret"), std::string::npos);
  EXPECT_EQ(target.servers[0].secrets, std::vector<std::string>{"sk-very-secret"}) << "for those who send on";

  ScriptedServer parrot([](const ScriptedRequest&) {
    return ScriptedServer::json(500, R"({"error": {"message": "cannot use key sk-very-secret"}})");
  });
  settings.urls = {parrot.url()};
  refused = refusal_of(settings);
  EXPECT_NE(refused.text.find("cannot use key ***"), std::string::npos) << refused.text;
}

TEST(Probe, ChoosesTheModel) {
  Habit habit;
  habit.models = R"({"data": [{"id": "a", "owned_by": "vllm"}, {"id": "b", "owned_by": "vllm"}]})";
  ScriptedServer server(engine_with(habit));
  TargetSettings settings = settings_for(server);
  ProbeRefusal refused = refusal_of(settings);
  EXPECT_EQ(refused.status, ExitStatus::unusable_input);
  EXPECT_NE(refused.text.find("a, b"), std::string::npos);
  settings.model = "b";
  EXPECT_EQ(probe(settings).model, "b");
  settings.model = "c";
  EXPECT_NE(refusal_of(settings).text.find("it serves a, b"), std::string::npos);
}

TEST(Probe, NoListOfModels) {
  Habit habit;
  habit.models_status = 404;
  ScriptedServer server(engine_with(habit));
  TargetSettings settings = settings_for(server);
  EXPECT_NE(refusal_of(settings).text.find("--model"), std::string::npos);
  settings.model = "m";
  EXPECT_TRUE(probe(settings).token_ids);
}

TEST(Probe, NobodyThere) {
  std::string url;
  {
    url = ScriptedServer(engine_with({})).url();
  }  // its port is free again
  TargetSettings settings;
  settings.urls = {url};
  const ProbeRefusal refused = refusal_of(settings);
  EXPECT_EQ(refused.status, ExitStatus::unusable_target);
  EXPECT_NE(refused.text.find(url), std::string::npos);
  EXPECT_NE(refused.text.find("check the URL"), std::string::npos);
}

TEST(Probe, WrongModelNameInTheAnswer) {
  ScriptedServer server([](const ScriptedRequest& request) -> std::string {
    if (request.path == "/v1/models") return ScriptedServer::json(404, "{}");
    return ScriptedServer::json(404, R"({"error": {"message": "The model x does not exist"}})");
  });
  TargetSettings settings = settings_for(server);
  settings.model = "x";
  EXPECT_NE(refusal_of(settings).text.find("The model x does not exist"), std::string::npos);
}

TEST(Probe, ReplicasMustServeTheSameModel) {
  ScriptedServer one(engine_with({}));
  Habit habit;
  habit.models = R"({"data": [{"id": "other", "owned_by": "vllm"}]})";
  ScriptedServer two(engine_with(habit));
  TargetSettings settings = settings_for(one);
  settings.urls.push_back(two.url());
  EXPECT_NE(refusal_of(settings).text.find("replicas"), std::string::npos);
  settings.urls.back() = one.url();
  const Target target = probe(settings);
  ASSERT_EQ(target.servers.size(), 2u);
  EXPECT_EQ(target.servers[1].addresses.size(), 1u);
}

/// Two servers of that habit, the second with another answer on one route.
std::string refusal_of_replicas(const Habit& habit, const std::string& route, const std::string& other_answer) {
  ScriptedServer one(engine_with(habit));
  ScriptedServer two([&](const ScriptedRequest& request) -> std::string {
    return request.path == route ? other_answer : engine_with(habit)(request);
  });
  TargetSettings settings = settings_for(one);
  settings.urls.push_back(two.url());
  std::string text = refusal_of(settings).text;
  EXPECT_EQ(text.find(two.url()), 0u) << "the one that differs: " << text;
  EXPECT_NE(text.find(one.url()), std::string::npos) << "from which: " << text;
  return text;
}

TEST(Probe, ReplicasThatDifferAreRefusedByTheFact) {
  const auto tells = [](const std::string& text, const std::string& words) {
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  tells(refusal_of_replicas({}, "/version", ScriptedServer::json(200, R"({"version": "0.33.0"})")),
        R"(engine.version "0.33.0" where)");
  tells(refusal_of_replicas({}, "/v1/models",
                            ScriptedServer::json(200, R"({"data": [{"id": "m", "owned_by": "sglang"}]})")),
        R"(engine.name "sglang" where)");
  tells(refusal_of_replicas({}, "/v1/completions", ScriptedServer::json(500, R"({"error": {"message": "broken"}})")),
        "fails a small request that");
  const std::string counts_one_more = ScriptedServer::stream(
      "data: {\"choices\":[{\"text\":\"x\",\"finish_reason\":\"length\"}]}\n\n"
      "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":41,\"completion_tokens\":16},"
      "\"system_fingerprint\":\"vllm-0.32.0-tp2-aa\"}\n\ndata: [DONE]\n\n");
  tells(refusal_of_replicas({}, "/v1/completions", counts_one_more), "does not count 40 tokens for a prompt of 40");
  const std::string other_build = ScriptedServer::stream(
      "data: {\"choices\":[{\"text\":\"x\",\"finish_reason\":\"length\"}]}\n\n"
      "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":40,\"completion_tokens\":16},"
      "\"system_fingerprint\":\"vllm-0.32.0-tp4-bb\"}\n\ndata: [DONE]\n\n");
  tells(refusal_of_replicas({}, "/v1/completions", other_build), R"(engine.build "vllm-0.32.0-tp4-bb" where)");
}

TEST(Probe, AddressesAreLookedUpOnce) {
  ScriptedServer server(engine_with({}));
  TargetSettings settings = settings_for(server);
  const Target target = probe(settings);
  ASSERT_EQ(target.servers[0].addresses.size(), 1u);
  EXPECT_EQ("http://" + target.servers[0].addresses[0].text(), server.url());
  // A name that nobody can look up: the address that is known is taken.
  const std::string name = "http://nowhere.invalid:8000";
  settings.urls = {name};
  settings.addresses[name] = target.servers[0].addresses;
  EXPECT_EQ(probe(settings).servers[0].addresses[0].text(), target.servers[0].addresses[0].text());
  EXPECT_NE(server.requests().back().head.find("Host: nowhere.invalid:8000\r\n"), std::string::npos);
}

/// A server that lists its model and then answers generation by `answer`.
ScriptedServer::Answer listing(std::function<std::string(const ScriptedRequest&)> answer) {
  return [answer = std::move(answer)](const ScriptedRequest& request) -> std::string {
    if (request.path == "/v1/models") return ScriptedServer::json(200, R"({"data": [{"id": "m"}]})");
    if (request.path.find("/completions") != std::string::npos) return answer(request);
    return ScriptedServer::json(404, "{}");
  };
}

TEST(Probe, AServerThatDoesNotStreamIsRefused) {
  ScriptedServer server(listing([](const ScriptedRequest&) {
    return ScriptedServer::json(
        200, R"({"choices":[{"text":"all of it","finish_reason":"stop"}],"usage":{"prompt_tokens":40}})");
  }));
  const ProbeRefusal refused = refusal_of(settings_for(server));
  EXPECT_EQ(refused.status, ExitStatus::unusable_target);
  EXPECT_NE(refused.text.find("in one piece"), std::string::npos) << refused.text;
  EXPECT_EQ(refused.text.find("(chat)"), std::string::npos) << "one reason is said once: " << refused.text;
}

TEST(Probe, AServerWithoutATokenIsRefused) {
  ScriptedServer server(listing([](const ScriptedRequest&) {
    return ScriptedServer::stream(
        "data: {\"choices\":[{\"text\":\"\",\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n");
  }));
  const ProbeRefusal refused = refusal_of(settings_for(server));
  EXPECT_EQ(refused.status, ExitStatus::unusable_target);
  EXPECT_NE(refused.text.find("without one output token"), std::string::npos) << refused.text;
}

TEST(Probe, AWebPageIsRefused) {
  ScriptedServer server(listing([](const ScriptedRequest&) {
    return "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\n<html";
  }));
  EXPECT_NE(refusal_of(settings_for(server)).text.find("its answer is text/html"), std::string::npos);
}

TEST(Probe, ABusyServerIsTriedAgain) {
  int left = 5;
  ScriptedServer server([&](const ScriptedRequest& request) -> std::string {
    if (request.path == "/v1/completions" && left-- > 0) {
      return ScriptedServer::json(left % 2 == 0 ? 429 : 503, R"({"error": {"message": "loading"}})");
    }
    return engine_with({})(request);
  });
  TargetSettings settings = settings_for(server);
  settings.busy_pause = Nanos(0);
  EXPECT_TRUE(probe(settings).token_ids);
  left = 6;
  const ProbeRefusal refused = refusal_of(settings);
  EXPECT_EQ(refused.status, ExitStatus::unusable_target);
  EXPECT_NE(refused.text.find("loading"), std::string::npos) << refused.text;
}

TEST(Probe, AStalledServerEndsItByTheTimeout) {
  ScriptedServer server(listing([](const ScriptedRequest&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // six times the limit
    return std::string();
  }));
  TargetSettings settings = settings_for(server);
  settings.model = "m";
  settings.request_timeout = std::chrono::milliseconds(50);
  const ProbeRefusal refused = refusal_of(settings);
  EXPECT_EQ(refused.status, ExitStatus::unusable_target);
  EXPECT_NE(refused.text.find("within 0.05 s"), std::string::npos) << refused.text;
}

TEST(Probe, CountsBeyondBeliefAreUnknown) {
  ScriptedServer server(listing([](const ScriptedRequest&) {
    return ScriptedServer::stream(
        "data: {\"choices\":[{\"text\":\"x\",\"finish_reason\":\"stop\"}]}\n\n"
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9223372036854775807,\"completion_tokens\":1}}\n\ndata: [DONE]\n\n");
  }));
  const Target target = probe(settings_for(server));
  EXPECT_FALSE(target.token_ids);
  EXPECT_FALSE(target.tokens_per_word);
}

TEST(Probe, LoadlinesOwnEngineIsSimulated) {
  ScriptedServer server([](const ScriptedRequest& request) -> std::string {
    if (request.path == "/v1/models") {
      return ScriptedServer::json(200, R"({"data": [{"id": "loadline-engine", "owned_by": "loadline"}]})");
    }
    if (request.path == "/server_info")
      return ScriptedServer::json(200, R"({"version": "0.1.0", "speed": 20,
      "parameters": {"weight_read_s": 0.002, "kv_read_s": 6e-09}})");
    return generation({}, json::parse(request.body));
  });
  const Target target = probe(settings_for(server));
  EXPECT_TRUE(target.simulated);
  EXPECT_EQ(fact_of(target, "hardware.name"), "simulated");
  EXPECT_EQ(fact_of(target, "flags.weight_read_s"), "0.002");
  EXPECT_EQ(fact_of(target, "flags.kv_read_s"), "6e-09");
  EXPECT_EQ(fact_of(target, "flags.engine_speed"), "20");
}

TEST(Probe, LlamaCppVocabularyAndFacts) {
  ScriptedServer server([](const ScriptedRequest& request) -> std::string {
    if (request.path == "/v1/models") {
      return ScriptedServer::json(200,
                                  R"({"data": [{"id": "s", "owned_by": "llamacpp", "meta": {"n_vocab": 49152,
        "n_ctx": 2048, "n_params": 134515008, "size": 96576768, "ftype": "Q4_1"}}]})",
                                  "Server: llama.cpp\r\n");
    }
    if (request.path == "/props") {
      return ScriptedServer::json(200,
                                  R"({"total_slots": 4, "build_info": "b1-abc", "model_ftype": "Q4_1",
        "default_generation_settings": {"params": {"speculative.types": "none"}}})");
    }
    return generation({}, json::parse(request.body));
  });
  const Target target = probe(settings_for(server));
  EXPECT_EQ(target.engine, "llama.cpp");
  EXPECT_EQ(target.vocabulary.first, 1000u);
  EXPECT_EQ(target.vocabulary.count, 49152u - 1000u - 2457u);
  EXPECT_EQ(target.context_limit, Tokens(2048));
  EXPECT_EQ(fact_of(target, "model.quantization"), "Q4_1");
  EXPECT_EQ(fact_of(target, "flags.total_slots"), "4");
  EXPECT_EQ(fact_of(target, "flags.speculative_decoding"), "off");
  EXPECT_EQ(std::ranges::count(target.facts, "model.quantization", &Fact::key), 1);
  const json sent = json::parse(server.requests().back().body);
  EXPECT_TRUE(sent.contains("ignore_eos"));
  EXPECT_FALSE(sent.contains("min_tokens"));  // it would silently ignore it
}

TEST(Probe, VllmInDevelopmentModeTellsItsConfiguration) {
  ScriptedServer server([](const ScriptedRequest& request) -> std::string {
    if (request.path == "/server_info?config_format=json") {
      return ScriptedServer::json(200,
                                  R"({"vllm_config": {"model_config": {"dtype": "torch.bfloat16", "quantization": null},
        "parallel_config": {"tensor_parallel_size": 4}, "cache_config": {"enable_prefix_caching": true},
        "speculative_config": {"method": "eagle3"}},
        "system_env": {"nvidia_gpu_models": "GPU 0: NVIDIA H200\nGPU 1: NVIDIA H200"}})");
    }
    return engine_with({})(request);
  });
  const Target target = probe(settings_for(server));
  EXPECT_EQ(fact_of(target, "model.dtype"), "torch.bfloat16");
  EXPECT_EQ(fact_of(target, "model.quantization"), "none");
  // The configuration goes before the fingerprint, which says 2.
  EXPECT_EQ(fact_of(target, "hardware.parallelism.tp"), "4");
  EXPECT_EQ(fact_of(target, "flags.enable_prefix_caching"), "true");
  EXPECT_EQ(fact_of(target, "flags.speculative_decoding"), "eagle3");
  EXPECT_EQ(fact_of(target, "flags.gpu_model"), "NVIDIA H200");
  EXPECT_EQ(fact_of(target, "flags.gpus_visible"), "2");
}

TEST(Probe, SglangTellsEverything) {
  ScriptedServer server([](const ScriptedRequest& request) -> std::string {
    if (request.path == "/v1/models")
      return ScriptedServer::json(200, R"({"data": [{"id": "m", "owned_by": "sglang"}]})");
    if (request.path == "/server_info") {
      return ScriptedServer::json(200,
                                  R"({"version": "0.5.23", "tp_size": 2, "dtype": "bfloat16", "api_key": "k-secret",
        "speculative_algorithm": null, "max_running_requests": 256, "launch_command": "sglang --api-key k-secret",
        "internal_states": [{"x": 1}]})");
    }
    return generation({}, json::parse(request.body));
  });
  const Target target = probe(settings_for(server));
  EXPECT_EQ(fact_of(target, "engine.version"), "0.5.23");
  EXPECT_EQ(fact_of(target, "hardware.parallelism.tp"), "2");
  EXPECT_EQ(fact_of(target, "flags.max_running_requests"), "256");
  EXPECT_EQ(fact_of(target, "flags.speculative_decoding"), "off");
  for (const Fact& fact : target.facts) EXPECT_EQ(fact.value.find("k-secret"), std::string::npos) << fact.key;
}

Target target_at(const ScriptedServer& server, std::string engine) {
  Target target;
  target.engine = std::move(engine);
  target.servers.push_back({parse_url(server.url()), "", {}});
  return target;
}

TEST(Cache, Reset) {
  std::string answer = R"({"success": true})";
  int status = 200;
  ScriptedServer server([&](const ScriptedRequest& request) {
    EXPECT_EQ(request.method, "POST");
    return ScriptedServer::json(status, answer);
  });
  EXPECT_TRUE(reset_cache(target_at(server, "vllm")).done);
  EXPECT_TRUE(reset_cache(target_at(server, "sglang")).done);
  answer = R"({"success": false})";
  const CacheReset busy = reset_cache(target_at(server, "vllm"));
  EXPECT_TRUE(busy.possible);
  EXPECT_FALSE(busy.done);
  status = 404;
  const CacheReset not_offered = reset_cache(target_at(server, "vllm"));
  EXPECT_FALSE(not_offered.possible);
  EXPECT_NE(not_offered.words.find("development mode"), std::string::npos);
  EXPECT_FALSE(reset_cache(target_at(server, "llama.cpp")).possible);
}

TEST(Cache, Counters) {
  std::string text =
      "vllm:prompt_tokens_total{engine=\"0\"} 100\nvllm:prefix_cache_hits_total 10\n"
      "vllm:prefix_cache_queries_total 100\nprocess_start_time_seconds 1.7e9\n"
      "llamacpp:prompt_tokens_total 30\nllamacpp:prompt_tokens_cached_total 70\n";
  ScriptedServer server([&](const ScriptedRequest& request) {
    return request.path == "/metrics"
               ? "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text
               : ScriptedServer::json(404, "{}");
  });
  const ServerCounters vllm = *read_counters(target_at(server, "vllm"));
  EXPECT_EQ(vllm.prompt_tokens, 100);
  EXPECT_EQ(vllm.generation_tokens, std::nullopt);
  EXPECT_EQ(vllm.process_start_s, 1.7e9);
  const ServerCounters llama = *read_counters(target_at(server, "llama.cpp"));
  EXPECT_EQ(llama.prompt_tokens, 100);
  EXPECT_EQ(llama.cache_hits, 70);
  EXPECT_EQ(llama.cache_queries, 100);
  ServerCounters later = vllm;
  later.cache_hits = 60;
  later.cache_queries = 200;
  EXPECT_EQ(cache_hit_rate(vllm, later), 0.5);
  EXPECT_EQ(cache_hit_rate(later, vllm), std::nullopt);  // counters fell: a restart
}

TEST(Fetch, TellsWhatWentWrong) {
  ScriptedServer server([](const ScriptedRequest& request) -> std::string {
    if (request.path == "/cut") return "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort";
    if (request.path == "/large") return ScriptedServer::json(200, std::string(5000, 'x'));
    if (request.path == "/nonsense") return "220 smtp ready\r\n\r\n";
    return "";
  });
  const Server at{parse_url(server.url()), "", {}};
  EXPECT_EQ(fetch(at, {"GET", "/cut"}).reached, Reached::broken);
  EXPECT_EQ(fetch(at, {"GET", "/nonsense"}).reached, Reached::broken);
  EXPECT_EQ(fetch(at, {"GET", "/silent"}).reached, Reached::broken);
  EXPECT_EQ(fetch(at, {"GET", "/large", "", std::chrono::seconds(10), 1000}).reached, Reached::broken);
  EXPECT_TRUE(fetch(at, {"GET", "/large"}).ok());
}

TEST(Probe, GoesThroughTheProxyOfTheEnvironment) {
  constexpr std::string_view server = "http://engine.example:8000";
  ScriptedServer proxy([&](const ScriptedRequest& request) {
    ScriptedRequest forwarded = request;
    if (request.path.starts_with(server)) forwarded.path.erase(0, server.size());
    return engine_with(Habit{})(forwarded);
  });
  const std::string proxy_url = "http://user:hunter22@" + proxy.url().substr(7);
  TargetSettings settings;
  settings.urls = {std::string(server)};  // nobody looks this name up here
  settings.environment = [&](const char* variable) {
    return std::string_view(variable) == "http_proxy" ? proxy_url.c_str() : nullptr;
  };
  const Target target = probe(settings);
  EXPECT_EQ(target.model, "m");
  const auto fact = std::ranges::find(target.facts, "network.proxy", &Fact::key);
  ASSERT_NE(fact, target.facts.end());
  EXPECT_EQ(fact->value, proxy.url().substr(7));
  ASSERT_FALSE(target.remarks.empty());
  EXPECT_NE(target.remarks.back().find("no_proxy=engine.example"), std::string::npos) << target.remarks.back();
  for (const ScriptedRequest& request : proxy.requests()) {
    EXPECT_TRUE(request.path.starts_with("http://engine.example:8000/")) << request.path;
    EXPECT_NE(request.head.find("Host: engine.example:8000\r\n"), std::string::npos);
    EXPECT_NE(request.head.find("Proxy-Authorization: Basic dXNlcjpodW50ZXIyMg==\r\n"), std::string::npos);
  }
}

TEST(Probe, NeverShowsTheProxysPassword) {
  ScriptedServer proxy([](const ScriptedRequest& request) {
    const std::size_t at = request.head.find("Basic ");
    const std::string repeated = request.head.substr(at, request.head.find('\r', at) - at);
    return ScriptedServer::json(500, R"({"error": {"message": "who is )" + repeated + "\"}}");
  });
  const std::string proxy_url = "http://user:hunter22@" + proxy.url().substr(7);
  TargetSettings settings;
  settings.urls = {"http://engine.example:8000"};
  settings.environment = [&](const char* variable) {
    return std::string_view(variable) == "http_proxy" ? proxy_url.c_str() : nullptr;
  };
  try {
    probe(settings);
    FAIL() << "this proxy lets nothing through";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("who is Basic ***"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace loadline
