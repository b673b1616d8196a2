#include "target/body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/error.h"
#include "core/prompt.h"
#include "target/words.h"
#include "wire/http_request.h"

namespace loadline {
namespace {

/// Of a target, what a body needs.
class BodyMaker {
 public:
  BodyMaker(const Target& target, std::uint64_t salt) : target_(target), salt_(salt) {}

  void write(const Plan& plan, std::uint32_t serial, std::string& body) {
    check(serial < plan.requests.size(), "a body is of a planned request");
    const Request& request = plan.requests[serial].request;
    body.clear();
    if (target_.token_ids) {
      tokens_.clear();
      append_prompt_tokens(request.prompt, plan.blocks, plan.block_size, salt_, target_.vocabulary, tokens_);
      append_completions_body(body, members(request), tokens_);
    } else {
      write_text(plan, request);
      if (target_.endpoint == Endpoint::chat) {
        append_chat_body(body, members(request), text_);
      } else {
        append_completions_body(body, members(request), std::string_view(text_));
      }
    }
    if (target_.keeps_temperature) drop_our_temperature(body);
  }

 private:
  SamplingMembers members(const Request& request) const {
    SamplingMembers out;
    out.model = target_.model;
    out.max_tokens = request.completion.value();
    if (target_.sends_ignore_eos) out.ignore_eos = true;
    if (target_.sends_min_tokens) out.min_tokens = request.completion.value();
    out.extra = target_.extra_members;
    return out;
  }

  /// The recipe in words: the same blocks give the same words, so sharing stays; lengths are rounded.
  void write_text(const Plan& plan, const Request& request) {
    const double per_word = target_.tokens_per_word.value_or(1);
    const double words = (static_cast<double>(request.prompt.length.value()) - target_.template_tokens) / per_word;
    Prompt prompt = request.prompt;
    prompt.length = Tokens(std::max<std::int64_t>(1, std::llround(words)));
    const auto block_words = std::max<std::int64_t>(1, std::llround(plan.block_size / per_word));
    const Vocabulary vocabulary{0, static_cast<std::uint32_t>(common_words().size())};
    tokens_.clear();
    append_prompt_tokens(prompt, plan.blocks, static_cast<std::uint32_t>(block_words), salt_, vocabulary, tokens_);
    text_.clear();
    append_words(tokens_, text_);
  }

  /// Two members of one name would be read differently by different engines; some refuse the body.
  static void drop_our_temperature(std::string& body) {
    constexpr std::string_view ours = ",\"temperature\":0";
    // Prompts hold no quotes, so the first match is the member written beside max_tokens.
    if (const std::size_t at = body.find(ours); at != body.npos) body.erase(at, ours.size());
  }

  Target target_;
  std::uint64_t salt_;
  std::vector<std::uint32_t> tokens_;
  std::string text_;
};

}  // namespace

BodyWriter body_writer(const Target& target, std::uint64_t salt) {
  const auto maker = std::make_shared<BodyMaker>(target, salt);
  return [maker](const Plan& plan, std::uint32_t serial, std::string& body) { maker->write(plan, serial, body); };
}

ExtraMembers extra_members(std::string_view json_object) {
  if (json_object.empty()) return {};
  const nlohmann::ordered_json parsed = nlohmann::ordered_json::parse(json_object, nullptr, false);
  if (!parsed.is_object()) throw Error("--extra-body: write a JSON object, such as '{\"top_k\": 1}'");
  for (const char* decided :
       {"model", "prompt", "messages", "stream", "stream_options", "max_tokens", "max_completion_tokens", "n"}) {
    if (parsed.contains(decided)) {
      throw Error(fmt::format("--extra-body: \"{}\" is decided by the measurement and cannot be replaced", decided));
    }
  }
  ExtraMembers out;
  out.has_temperature = parsed.contains("temperature");
  out.has_ignore_eos = parsed.contains("ignore_eos");
  out.has_min_tokens = parsed.contains("min_tokens");
  const std::string text = parsed.dump();
  out.text = text.substr(1, text.size() - 2);
  return out;
}

}  // namespace loadline
