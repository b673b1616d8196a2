#include "target/endpoint.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/nearest_name.h"
#include "wire/http_words.h"

namespace loadline {
namespace {

constexpr std::string_view user_message = R"("messages":[{"role":"user","content":)";
constexpr std::string_view message_end = "}]";
constexpr std::string_view greedy = R"("temperature":0)";
constexpr std::string_view in_pieces = R"("stream":true)", in_one_piece = R"("stream":false)";
constexpr std::string_view streamed_with_usage = R"("stream":true,"stream_options":{"include_usage":true})";

EndpointRow completions_row() {
  return {.endpoint = Endpoint::completions,
          .name = "completions",
          .aliases = {"openai", "openai-comp", "openai-completions", "text-completions", "vllm"},
          .words = "completions",
          .path = "/completions",
          .whole_path = "/completions",
          .needs_length = true,
          .body = {.before_text = R"("prompt":)",
                   .token_ids = "prompt",
                   .length = "max_tokens",
                   .greedy = greedy,
                   .stream = streamed_with_usage,
                   .whole = in_one_piece,
                   .ignore_eos = "ignore_eos",
                   .least_length = "min_tokens"},
          .reserved = {"prompt", "max_tokens", "max_completion_tokens"}};
}

EndpointRow chat_row() {
  return {
      .endpoint = Endpoint::chat,
      .name = "chat",
      .aliases = {"openai-chat", "openai-chat-completions", "chat-completions", "chat_completions", "chat/completions"},
      .words = "chat completions",
      .path = "/chat/completions",
      .whole_path = "/chat/completions",
      .body = {.before_text = user_message,
               .after_text = message_end,
               .messages = "messages",
               .length = "max_tokens",
               .greedy = greedy,
               .stream = streamed_with_usage,
               .whole = in_one_piece,
               .ignore_eos = "ignore_eos",
               .least_length = "min_tokens"},
      .reserved = {"messages", "max_tokens", "max_completion_tokens"}};
}

EndpointRow responses_row() {
  return {.endpoint = Endpoint::responses,
          .name = "responses",
          .aliases = {"openai-responses"},
          .words = "responses",
          .path = "/responses",
          .whole_path = "/responses",
          .format = StreamFormat::responses,
          .body = {.before_text = R"("input":)",
                   .messages = "input",
                   .length = "max_output_tokens",
                   .greedy = greedy,
                   .stream = in_pieces,
                   .whole = in_one_piece},
          .reserved = {"input", "max_output_tokens"}};
}

EndpointRow messages_row() {
  return {.endpoint = Endpoint::messages,
          .name = "messages",
          .aliases = {"anthropic", "anthropic-messages", "claude"},
          .words = "Anthropic messages",
          .path = "/messages",
          .whole_path = "/messages",
          .format = StreamFormat::anthropic,
          .needs_length = true,
          .headers = {"anthropic-version", "2023-06-01", "x-api-key"},
          .body = {.before_text = user_message,
                   .after_text = message_end,
                   .messages = "messages",
                   .length = "max_tokens",
                   .greedy = greedy,
                   .stream = in_pieces,
                   .whole = in_one_piece},
          .reserved = {"messages", "max_tokens"}};
}

/// TGI refuses a temperature of 0: greedy is the absence of sampling. `details` bring the counts.
EndpointRow tgi_row() {
  return {.endpoint = Endpoint::tgi,
          .name = "tgi",
          .aliases = {"generate_stream", "huggingface_generate", "huggingface-generate", "text-generation-inference"},
          .words = "TGI generate_stream",
          .below_api = false,
          .path = "/generate_stream",
          .whole_path = "/generate",
          .format = StreamFormat::tgi,
          .needs_length = true,
          .engine = "tgi",
          .body = {.names_model = false,
                   .before_text = R"("inputs":)",
                   .container = "parameters",
                   .length = "max_new_tokens",
                   .greedy = R"("do_sample":false)",
                   .always_sampling = R"("details":true)"},
          .reserved = {"inputs"},
          .reserved_sampling = {"max_new_tokens", "details"}};
}

EndpointRow sglang_row() {
  return {.endpoint = Endpoint::sglang,
          .name = "sglang",
          .aliases = {"generate", "sglang-native", "sglang-generate"},
          .words = "SGLang generate",
          .below_api = false,
          .path = "/generate",
          .whole_path = "/generate",
          .format = StreamFormat::sglang,
          .needs_length = true,
          .engine = "sglang",
          .body = {.names_model = false,
                   .before_text = R"("text":)",
                   .token_ids = "input_ids",
                   .container = "sampling_params",
                   .length = "max_new_tokens",
                   .greedy = greedy,
                   .stream = in_pieces,
                   .whole = in_one_piece,
                   .ignore_eos = "ignore_eos"},
          .reserved = {"text", "input_ids"},
          .reserved_sampling = {"max_new_tokens"}};
}

/// `return_tokens` tells the token ids of each piece, so that tokens are counted and timed exactly.
EndpointRow llamacpp_row() {
  return {.endpoint = Endpoint::llamacpp,
          .name = "llamacpp",
          .aliases = {"completion", "llama.cpp", "llama-server", "llamacpp-completion"},
          .words = "llama-server completion",
          .below_api = false,
          .path = "/completion",
          .whole_path = "/completion",
          .format = StreamFormat::llamacpp,
          .engine = "llama.cpp",
          .body = {.names_model = false,
                   .before_text = R"("prompt":)",
                   .token_ids = "prompt",
                   .length = "n_predict",
                   .greedy = greedy,
                   .stream = in_pieces,
                   .whole = in_one_piece,
                   .always = R"("return_tokens":true)",
                   .ignore_eos = "ignore_eos"},
          .reserved = {"prompt", "n_predict", "max_tokens", "return_tokens"}};
}

/// Without `truncate` a prompt beyond the context would be cut without a word.
EndpointRow ollama_row() {
  return {.endpoint = Endpoint::ollama,
          .name = "ollama",
          .aliases = {"api/chat", "ollama-chat"},
          .words = "Ollama chat",
          .below_api = false,
          .path = "/api/chat",
          .whole_path = "/api/chat",
          .format = StreamFormat::ollama,
          .engine = "ollama",
          .body = {.before_text = user_message,
                   .after_text = message_end,
                   .messages = "messages",
                   .container = "options",
                   .length = "num_predict",
                   .greedy = greedy,
                   .stream = in_pieces,
                   .whole = in_one_piece,
                   .always = R"("truncate":false)"},
          .reserved = {"messages", "truncate"},
          .reserved_sampling = {"num_predict"}};
}

EndpointRow embeddings_row() {
  return {.endpoint = Endpoint::embeddings,
          .name = "embeddings",
          .aliases = {"embedding", "openai-embeddings"},
          .words = "embeddings",
          .path = "/embeddings",
          .whole_path = "/embeddings",
          .format = StreamFormat::embeddings,
          .streams = false,
          .body = {.before_text = R"("input":)", .token_ids = "input"},
          .reserved = {"input"}};
}

/// "/v1/chat/completions" -> "chat/completions".
std::string as_alias(std::string_view text) {
  std::string alias = ascii_lower(text);
  while (alias.starts_with('/')) alias.erase(0, 1);
  if (alias.starts_with("v1/")) alias.erase(0, 3);
  return alias;
}

}  // namespace

std::span<const EndpointRow> endpoints() {
  static const std::vector<EndpointRow> rows = {chat_row(),     completions_row(), responses_row(),
                                                messages_row(), tgi_row(),         sglang_row(),
                                                llamacpp_row(), ollama_row(),      embeddings_row()};
  return rows;
}

const EndpointRow& endpoint_row(Endpoint endpoint) {
  const auto row = std::ranges::find(endpoints(), endpoint, &EndpointRow::endpoint);
  check(row != endpoints().end(), "every endpoint has a row");
  return *row;
}

std::optional<Endpoint> endpoint_named(std::string_view text) {
  const std::string alias = as_alias(text);
  std::vector<std::string> names = {"auto"};
  if (alias == names.front()) return std::nullopt;
  std::vector<std::string> all = names;
  for (const EndpointRow& row : endpoints()) {
    const bool meant = alias == row.name || std::ranges::find(row.aliases, alias) != row.aliases.end();
    if (meant) return row.endpoint;
    names.emplace_back(row.name);
    all.emplace_back(row.name);
    all.insert(all.end(), row.aliases.begin(), row.aliases.end());
  }
  throw Error(fmt::format("--endpoint-type: '{}' is unknown{}; known are {}", text, did_you_mean(alias, all),
                          fmt::join(names, ", ")));
}

}  // namespace loadline
