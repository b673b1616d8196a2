#include "engine/api_answer.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

namespace loadline {
namespace {

constexpr std::string_view token_text = " token";

std::string_view reason_phrase(std::uint16_t status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 413:
      return "Content Too Large";
    case 431:
      return "Request Header Fields Too Large";
    case 501:
      return "Not Implemented";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Error";
  }
}

std::string answer_head(std::uint16_t status, std::string_view content_type, std::string_view framing,
                        bool keep_alive) {
  return fmt::format("HTTP/1.1 {} {}\r\nserver: loadline-engine/{}\r\ncontent-type: {}\r\n{}\r\n{}\r\n", status,
                     reason_phrase(status), LOADLINE_VERSION, content_type, framing,
                     keep_alive ? "" : "connection: close\r\n");
}

void append_http_chunk(std::string_view data, std::string& out) {
  fmt::format_to(std::back_inserter(out), "{:x}\r\n{}\r\n", data.size(), data);
}

}  // namespace

std::string plain_answer(std::uint16_t status, std::string_view content_type, std::string_view body, bool keep_alive) {
  return answer_head(status, content_type, fmt::format("content-length: {}", body.size()), keep_alive) +
         std::string(body);
}

std::string error_answer(const Refusal& refusal, bool keep_alive) {
  const std::string_view type = refusal.status == 404 ? "NotFoundError" : "BadRequestError";
  const nlohmann::json body = {
      {"error", {{"message", refusal.message}, {"type", type}, {"param", nullptr}, {"code", refusal.status}}}};
  // The message may quote bytes of the client that are no UTF-8.
  return plain_answer(refusal.status, "application/json",
                      body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), keep_alive);
}

CompletionAnswer::CompletionAnswer(const CompletionRequest& request, std::uint64_t id, std::int64_t created,
                                   std::string_view fingerprint, bool keep_alive)
    : chat_(request.chat),
      stream_(request.stream),
      include_usage_(request.include_usage),
      continuous_usage_(request.continuous_usage),
      keep_alive_(keep_alive),
      prompt_tokens_(static_cast<std::int64_t>(request.tokens.size())),
      completion_tokens_(request.max_tokens),
      id_(fmt::format("{}-{:016x}", request.chat ? "chatcmpl" : "cmpl", id)),
      fingerprint_(fingerprint),
      created_(created) {
  if (stream_ && !continuous_usage_) append_http_chunk(token_event(""), chunk_);
}

std::string CompletionAnswer::event(std::string_view choices, std::string_view usage, std::string_view more) const {
  return fmt::format(R"(data: {{"id":"{}","object":"{}","created":{},"model":"{}","choices":[{}]{}{}}})"
                     "\n\n",
                     id_, chat_ ? "chat.completion.chunk" : "text_completion", created_, engine_model_name, choices,
                     usage, more);
}

std::string CompletionAnswer::token_event(std::string_view finish_reason) const {
  const std::string reason = finish_reason.empty() ? "null" : fmt::format("\"{}\"", finish_reason);
  const std::string choice =
      chat_ ? fmt::format(R"({{"index":0,"delta":{{"content":"{}"}},"logprobs":null,"finish_reason":{}}})", token_text,
                          reason)
            : fmt::format(R"({{"index":0,"text":"{}","logprobs":null,"finish_reason":{},"stop_reason":null}})",
                          token_text, reason);
  return event(choice, continuous_usage_ ? running_usage() : "");
}

std::string CompletionAnswer::running_usage() const {
  return fmt::format(R"(,"usage":{{"prompt_tokens":{},"total_tokens":{},"completion_tokens":{}}})", prompt_tokens_,
                     prompt_tokens_ + emitted_, emitted_);
}

std::string CompletionAnswer::full_usage(std::int64_t cached_tokens) const {
  return fmt::format(
      R"(,"usage":{{"prompt_tokens":{},"total_tokens":{},"completion_tokens":{},"prompt_tokens_details":{{"cached_tokens":{}}}}})",
      prompt_tokens_, prompt_tokens_ + completion_tokens_, completion_tokens_, cached_tokens);
}

void CompletionAnswer::append_start(std::string& out) const {
  out += answer_head(200, "text/event-stream; charset=utf-8", "transfer-encoding: chunked\r\ncache-control: no-cache",
                     keep_alive_);
  if (!chat_) return;
  append_http_chunk(
      event(R"({"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null})",
            continuous_usage_ ? running_usage() : ""),
      out);
}

std::string_view CompletionAnswer::token() {
  ++emitted_;
  if (continuous_usage_) {
    chunk_.clear();
    append_http_chunk(token_event(""), chunk_);
  }
  return chunk_;
}

void CompletionAnswer::append_end(std::int64_t cached_tokens, std::string& out) {
  ++emitted_;
  append_http_chunk(token_event("length"), out);
  if (include_usage_) {
    append_http_chunk(event("", full_usage(cached_tokens), fmt::format(R"(,"system_fingerprint":"{}")", fingerprint_)),
                      out);
  }
  append_http_chunk("data: [DONE]\n\n", out);
  out += "0\r\n\r\n";
}

std::string CompletionAnswer::whole(std::int64_t cached_tokens) const {
  std::string text;
  for (std::int64_t i = 0; i < completion_tokens_; ++i) text += token_text;
  const std::string choice =
      chat_
          ? fmt::format(
                R"({{"index":0,"message":{{"role":"assistant","content":"{}"}},"logprobs":null,"finish_reason":"length"}})",
                text)
          : fmt::format(R"({{"index":0,"text":"{}","logprobs":null,"finish_reason":"length","stop_reason":null}})",
                        text);
  const std::string body =
      fmt::format(R"({{"id":"{}","object":"{}","created":{},"model":"{}","choices":[{}]{},"system_fingerprint":"{}"}})",
                  id_, chat_ ? "chat.completion" : "text_completion", created_, engine_model_name, choice,
                  full_usage(cached_tokens), fingerprint_);
  return plain_answer(200, "application/json", body, keep_alive_);
}

}  // namespace loadline
