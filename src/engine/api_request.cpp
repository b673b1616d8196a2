#include "engine/api_request.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <stdexcept>

#include "core/random.h"

namespace loadline {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

/// A member is not what it must be; becomes a Refusal at the door of this file.
struct BadMember : std::runtime_error {
  using std::runtime_error::runtime_error;
};

bool is_absent(const element& object, std::string_view key, element& value) {
  return object[key].get(value) != simdjson::SUCCESS || value.is_null();
}

bool boolean_member(const element& object, std::string_view key) {
  element value;
  if (is_absent(object, key, value)) return false;
  bool on = false;
  if (value.get(on) != simdjson::SUCCESS) throw BadMember(fmt::format("{} must be true or false", key));
  return on;
}

std::optional<std::int64_t> count_member(const element& object, std::string_view key, std::int64_t least) {
  element value;
  if (is_absent(object, key, value)) return std::nullopt;
  std::int64_t count = 0;
  if (value.get(count) != simdjson::SUCCESS || count < least) {
    throw BadMember(fmt::format("{} must be a whole number of at least {}", key, least));
  }
  return count;
}

void append_ids(const simdjson::dom::array& ids, std::vector<std::uint32_t>& tokens) {
  tokens.reserve(tokens.size() + ids.size());
  for (const element id : ids) {
    std::uint64_t token = 0;
    if (id.get(token) != simdjson::SUCCESS || token > 0xffffffff) {
      throw BadMember("prompt: a token id must be a whole number from 0 to 4294967295");
    }
    tokens.push_back(static_cast<std::uint32_t>(token));
  }
}

void append_prompt(const element& prompt, std::vector<std::uint32_t>& tokens) {
  if (std::string_view text; prompt.get(text) == simdjson::SUCCESS) return append_word_tokens(text, tokens);
  simdjson::dom::array list;
  if (prompt.get(list) != simdjson::SUCCESS) throw BadMember("prompt must be a text or a list of token ids");
  if (list.size() == 0) return;
  const element first = list.at(0);
  if (first.type() == element_type::STRING || first.type() == element_type::ARRAY) {
    if (list.size() > 1) throw BadMember("prompt: one prompt a request; send several requests");
    return append_prompt(first, tokens);
  }
  append_ids(list, tokens);
}

void append_content(const element& content, std::vector<std::uint32_t>& tokens) {
  if (std::string_view text; content.get(text) == simdjson::SUCCESS) return append_word_tokens(text, tokens);
  simdjson::dom::array parts;
  if (content.get(parts) != simdjson::SUCCESS) throw BadMember("messages: content must be a text or a list of parts");
  for (const element part : parts) {
    std::string_view text;
    if (part["text"].get(text) != simdjson::SUCCESS) throw BadMember("messages: only parts of type text are taken");
    append_word_tokens(text, tokens);
  }
}

void append_messages(const element& root, std::vector<std::uint32_t>& tokens) {
  simdjson::dom::array messages;
  if (root["messages"].get(messages) != simdjson::SUCCESS || messages.size() == 0) {
    throw BadMember("messages must be a list of at least one message");
  }
  for (std::size_t i = 0; i < chat_template_tokens; ++i) tokens.push_back(static_cast<std::uint32_t>(i + 1));
  for (const element message : messages) {
    element content;
    if (message["content"].get(content) != simdjson::SUCCESS) throw BadMember("messages: a message has no content");
    if (!content.is_null()) append_content(content, tokens);
  }
}

void append_root_prompt(const element& root, bool chat, std::vector<std::uint32_t>& tokens) {
  if (chat) return append_messages(root, tokens);
  element prompt;
  if (is_absent(root, "prompt", prompt)) throw BadMember("prompt is missing");
  append_prompt(prompt, tokens);
  if (tokens.empty()) throw BadMember("prompt must hold at least one token");
}

void read_lengths(const element& root, CompletionRequest& request) {
  if (const auto n = count_member(root, "n", 1); n && *n != 1)
    throw BadMember("n: one answer a request; send several requests");
  std::optional<std::int64_t> most = request.chat ? count_member(root, "max_completion_tokens", 1) : std::nullopt;
  if (!most) most = count_member(root, "max_tokens", 1);
  request.max_tokens = most.value_or(default_max_tokens);
  boolean_member(root, "ignore_eos");
  const std::int64_t least = count_member(root, "min_tokens", 0).value_or(0);
  if (least > request.max_tokens) {
    throw BadMember(fmt::format("min_tokens {} is more than max_tokens {}", least, request.max_tokens));
  }
}

void read_stream(const element& root, CompletionRequest& request) {
  request.stream = boolean_member(root, "stream");
  element options;
  if (is_absent(root, "stream_options", options)) return;
  if (!options.is_object()) throw BadMember("stream_options must be an object");
  request.include_usage = boolean_member(options, "include_usage");
  request.continuous_usage = boolean_member(options, "continuous_usage_stats");
}

element parsed_object(simdjson::dom::parser& parser, std::string_view body) {
  element root;
  const simdjson::error_code error = parser.parse(body.data(), body.size()).get(root);
  if (error != simdjson::SUCCESS)
    throw BadMember(fmt::format("the body is not JSON: {}", simdjson::error_message(error)));
  if (!root.is_object()) throw BadMember("the body must be a JSON object");
  return root;
}

}  // namespace

struct ApiReader::Parser {
  simdjson::dom::parser json;
};

ApiReader::ApiReader() : parser_(std::make_unique<Parser>()) {}
ApiReader::~ApiReader() = default;

std::optional<Refusal> ApiReader::read_completion(std::string_view body, bool chat, CompletionRequest& request) {
  request.chat = chat;
  request.model.clear();
  request.tokens.clear();
  request.include_usage = request.continuous_usage = false;
  try {
    const element root = parsed_object(parser_->json, body);
    if (element model; !is_absent(root, "model", model)) {
      std::string_view name;
      if (model.get(name) != simdjson::SUCCESS) throw BadMember("model must be a text");
      request.model = name;
    }
    append_root_prompt(root, chat, request.tokens);
    read_lengths(root, request);
    read_stream(root, request);
  } catch (const BadMember& bad) {
    return Refusal{400, bad.what()};
  }
  return std::nullopt;
}

std::optional<Refusal> ApiReader::read_tokenize(std::string_view body, std::vector<std::uint32_t>& tokens) {
  tokens.clear();
  try {
    const element root = parsed_object(parser_->json, body);
    element messages;
    append_root_prompt(root, !is_absent(root, "messages", messages), tokens);
  } catch (const BadMember& bad) {
    return Refusal{400, bad.what()};
  }
  return std::nullopt;
}

void append_word_tokens(std::string_view text, std::vector<std::uint32_t>& tokens) {
  constexpr std::string_view blanks = " \t\r\n\f\v";
  for (std::size_t at = text.find_first_not_of(blanks); at != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(blanks, at), text.size());
    std::uint64_t hash = 0;
    for (const char c : text.substr(at, end - at)) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL + 1;
    tokens.push_back(static_cast<std::uint32_t>(mix(hash) >> 32));
    at = text.find_first_not_of(blanks, end);
  }
}

}  // namespace loadline
