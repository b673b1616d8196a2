#include "target/endpoint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.h"
#include "target/body.h"

namespace loadline {
namespace {

using nlohmann::json;

TEST(Endpoint, NamesAndAliases) {
  const std::pair<std::string_view, Endpoint> rows[] = {{"chat", Endpoint::chat},
                                                        {"openai-chat", Endpoint::chat},
                                                        {"/v1/chat/completions", Endpoint::chat},
                                                        {"completions", Endpoint::completions},
                                                        {"openai-comp", Endpoint::completions},
                                                        {"v1/completions", Endpoint::completions},
                                                        {"responses", Endpoint::responses},
                                                        {"Anthropic", Endpoint::messages},
                                                        {"/v1/messages", Endpoint::messages},
                                                        {"generate_stream", Endpoint::tgi},
                                                        {"generate", Endpoint::sglang},
                                                        {"completion", Endpoint::llamacpp},
                                                        {"/api/chat", Endpoint::ollama},
                                                        {"openai-embeddings", Endpoint::embeddings}};
  for (const auto& [text, endpoint] : rows) EXPECT_EQ(endpoint_named(text), endpoint) << text;
  EXPECT_EQ(endpoint_named("auto"), std::nullopt);
  std::set<std::string_view> names;
  for (const EndpointRow& row : endpoints()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(&endpoint_row(row.endpoint), &row);
    for (const std::string_view alias : row.aliases) EXPECT_TRUE(names.insert(alias).second) << alias;
  }
  EXPECT_EQ(endpoints().size(), 9u);
}

std::string refusal_of_type(std::string_view text) {
  try {
    endpoint_named(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Endpoint, UnknownNamesGetTheNearest) {
  EXPECT_NE(refusal_of_type("chatt").find("did you mean chat?"), std::string::npos) << refusal_of_type("chatt");
  EXPECT_NE(refusal_of_type("mesages").find("did you mean messages?"), std::string::npos);
  EXPECT_NE(refusal_of_type("zzz").find("known are auto, chat"), std::string::npos);
}

Target target_with(Endpoint endpoint) {
  Target target;
  target.endpoint = endpoint;
  target.model = "m";
  target.sends_ignore_eos = target.sends_min_tokens = true;
  target.tokens_per_word = 1;
  target.vocabulary = {500, 10};
  return target;
}

Request request_of(std::int64_t prompt, std::int64_t completion) {
  Request request;
  request.prompt.length = Tokens(prompt);
  request.prompt.own = 1;
  request.completion = Tokens(completion);
  return request;
}

json body_for(const Target& target, std::int64_t completion = 12) {
  Plan plan;
  plan.requests.resize(1);
  plan.requests.front().request = request_of(3, completion);
  std::string body;
  body_writer(target, 1)(plan, 0, body);
  return json::parse(body);
}

/// The body without its prompt, which is checked to be three words or three ids where `pointer` says.
json rest_of(json body, const char* pointer) {
  const json::json_pointer at(pointer);
  EXPECT_TRUE(body.contains(at)) << pointer << " in " << body.dump();
  const json prompt = body.at(at);
  if (prompt.is_array()) {
    EXPECT_EQ(prompt.size(), 3u);
  } else {
    const std::string text = prompt;
    EXPECT_EQ(std::count(text.begin(), text.end(), ' '), 2) << text;
  }
  body.at(at) = nullptr;
  return body;
}

TEST(Endpoint, Bodies) {
  struct Row {
    Endpoint endpoint;
    const char *prompt, *rest;
  };
  const Row rows[] = {
      {Endpoint::chat, "/messages/0/content",
       R"({"model":"m","messages":[{"role":"user","content":null}],"max_tokens":12,"temperature":0,"stream":true,
           "stream_options":{"include_usage":true},"ignore_eos":true,"min_tokens":12})"},
      {Endpoint::completions, "/prompt",
       R"({"model":"m","prompt":null,"max_tokens":12,"temperature":0,"stream":true,
           "stream_options":{"include_usage":true},"ignore_eos":true,"min_tokens":12})"},
      {Endpoint::responses, "/input",
       R"({"model":"m","input":null,"max_output_tokens":12,"temperature":0,"stream":true})"},
      {Endpoint::messages, "/messages/0/content",
       R"({"model":"m","messages":[{"role":"user","content":null}],"max_tokens":12,"temperature":0,"stream":true})"},
      {Endpoint::tgi, "/inputs",
       R"({"inputs":null,"parameters":{"max_new_tokens":12,"do_sample":false,"details":true}})"},
      {Endpoint::sglang, "/text",
       R"({"text":null,"sampling_params":{"max_new_tokens":12,"temperature":0,"ignore_eos":true},"stream":true})"},
      {Endpoint::llamacpp, "/prompt",
       R"({"prompt":null,"n_predict":12,"temperature":0,"stream":true,"ignore_eos":true,"return_tokens":true})"},
      {Endpoint::ollama, "/messages/0/content",
       R"({"model":"m","messages":[{"role":"user","content":null}],"options":{"num_predict":12,"temperature":0},
           "stream":true,"truncate":false})"},
      {Endpoint::embeddings, "/input", R"({"model":"m","input":null})"}};
  for (const Row& row : rows) {
    SCOPED_TRACE(endpoint_row(row.endpoint).name);
    EXPECT_EQ(rest_of(body_for(target_with(row.endpoint)), row.prompt), json::parse(row.rest));
  }
}

TEST(Endpoint, BodiesOfTokenIds) {
  const std::pair<Endpoint, const char*> rows[] = {{Endpoint::completions, "/prompt"},
                                                   {Endpoint::sglang, "/input_ids"},
                                                   {Endpoint::llamacpp, "/prompt"},
                                                   {Endpoint::embeddings, "/input"}};
  std::size_t taking = 0;
  for (const EndpointRow& row : endpoints()) taking += row.body.token_ids.empty() ? 0 : 1;
  EXPECT_EQ(taking, std::size(rows));
  for (const auto& [endpoint, pointer] : rows) {
    SCOPED_TRACE(endpoint_row(endpoint).name);
    Target by_text = target_with(endpoint), by_ids = by_text;
    by_ids.token_ids = true;
    const json body = body_for(by_ids);
    EXPECT_TRUE(body.at(json::json_pointer(pointer)).is_array());
    rest_of(body, pointer);
    EXPECT_EQ(body.size(), body_for(by_text).size()) << "all else is the same";
  }
}

TEST(Endpoint, BodiesOfWholeAnswersAndUnknownLengths) {
  for (const EndpointRow& row : endpoints()) {
    SCOPED_TRACE(row.name);
    Target target = target_with(row.endpoint);
    target.streamed = false;
    const json body = body_for(target, 0);
    EXPECT_FALSE(body.value("stream", false));
    EXPECT_FALSE(body.contains("stream_options"));
    const bool asks = !row.body.length.empty() && body.dump().find(row.body.length) != std::string::npos;
    EXPECT_FALSE(asks) << "no length is asked for: " << body;
  }
}

TEST(Endpoint, WhatTheMeasurementWritesIsReserved) {
  for (const EndpointRow& row : endpoints()) {
    SCOPED_TRACE(row.name);
    for (const bool ids : {false, true}) {
      if (ids && row.body.token_ids.empty()) continue;
      Target target = target_with(row.endpoint);
      target.token_ids = ids;
      const json body = body_for(target);
      for (const auto& [key, value] : body.items()) {
        const bool may_be_replaced = key == "temperature" || key == "ignore_eos" || key == "min_tokens";
        if (may_be_replaced || key == row.body.container) continue;
        EXPECT_THROW(extra_members(json{{key, 1}}.dump(), row.endpoint), Error) << key;
      }
    }
    if (row.body.container.empty()) continue;
    const std::string container(row.body.container);
    const json sampling = body_for(target_with(row.endpoint)).at(container);
    for (const auto& [key, value] : sampling.items()) {
      if (key == "temperature" || key == "ignore_eos" || key == "do_sample") continue;
      EXPECT_THROW(extra_members(json{{container, {{key, 1}}}}.dump(), row.endpoint), Error) << key;
    }
    EXPECT_THROW(extra_members(json{{container, 1}}.dump(), row.endpoint), Error);
  }
}

TEST(Endpoint, ExtraMembers) {
  const ExtraMembers extra = extra_members(R"({ "top_k": 1, "min_tokens": 3, "nested": {"a": [1]} })", std::nullopt);
  EXPECT_EQ(extra.text, R"("top_k":1,"min_tokens":3,"nested":{"a":[1]})");
  EXPECT_TRUE(extra.has_min_tokens);
  EXPECT_FALSE(extra.has_temperature);
  EXPECT_EQ(extra_members("{}", std::nullopt).text, "");
  for (const char* bad : {"[1]", "{", R"({"stream": false})", R"({"messages": []})", R"({"prompt": ""})"}) {
    EXPECT_THROW(extra_members(bad, std::nullopt), Error) << bad;
  }
  EXPECT_NO_THROW(extra_members(R"({"messages": []})", Endpoint::sglang)) << "another endpoint's";
}

TEST(Endpoint, ExtraMembersOfTheContainerJoinTheMeasurements) {
  const ExtraMembers extra =
      extra_members(R"({"sampling_params": {"top_k": 1, "temperature": 0.5}, "rid": "x"})", Endpoint::sglang);
  Target target = target_with(Endpoint::sglang);
  target.extra_members = extra.text;
  target.extra_sampling = extra.sampling;
  target.keeps_temperature = extra.has_temperature;
  const json body = body_for(target);
  EXPECT_EQ(body["rid"], "x");
  EXPECT_EQ(body["sampling_params"],
            json::parse(R"({"max_new_tokens": 12, "ignore_eos": true, "top_k": 1, "temperature": 0.5})"));
}

}  // namespace
}  // namespace loadline
