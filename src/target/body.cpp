#include "target/body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "core/error.h"
#include "core/prompt.h"
#include "target/log_texts.h"
#include "target/words.h"

namespace loadline {
namespace {

/// Of a target, what a body needs.
class BodyMaker {
 public:
  BodyMaker(const Target& target, std::uint64_t salt, const std::vector<PromptText>* texts)
      : target_(target), salt_(salt) {
    if (texts != nullptr) texts_.emplace(*texts);
  }

  void write(const Plan& plan, std::uint32_t plan_index, std::string& body) {
    check(plan_index < plan.requests.size(), "a body is of a planned request");
    const Request& request = plan.requests[plan_index].request;
    const SamplingMembers members = sampling_members(target_, request.completion);
    body.clear();
    if (texts_) return texts_->append_body(request.row, target_.endpoint, members, body);
    tokens_.clear();
    if (target_.token_ids) {
      append_prompt_tokens(request.prompt, plan.blocks, plan.block_size, salt_, target_.vocabulary, tokens_);
      return append_completions_body(body, members, tokens_);
    }
    if (target_.exact_text) {
      choose_exact_words(plan, request.prompt);
    } else {
      choose_words(plan, request.prompt);
    }
    text_.clear();
    append_words(tokens_, text_);
    append_text_body(body, target_.endpoint, members, text_);
  }

 private:
  /// The recipe in words: the same blocks give the same words, so sharing stays; lengths are rounded.
  void choose_words(const Plan& plan, Prompt prompt) {
    const double per_word = target_.tokens_per_word.value_or(1);
    const double words = (static_cast<double>(prompt.length.value()) - target_.template_tokens) / per_word;
    prompt.length = Tokens(std::max<std::int64_t>(1, std::llround(words)));
    const auto block_words = std::max<std::int64_t>(1, std::llround(plan.block_size / per_word));
    const Vocabulary vocabulary{0, static_cast<std::uint32_t>(common_words().size())};
    append_prompt_tokens(prompt, plan.blocks, static_cast<std::uint32_t>(block_words), salt_, vocabulary, tokens_);
  }

  /// A word is a token, so the recipe's tokens are words in the places that they have in it. The template and the
  /// opening word take the place of the first ones: blocks lie where the trace has them, and what is a prompt's own at
  /// its end stays.
  void choose_exact_words(const Plan& plan, Prompt prompt) {
    const std::int64_t added = std::llround(target_.template_tokens);
    prompt.length = std::max(prompt.length, Tokens(added + 2));
    const Vocabulary vocabulary{0, static_cast<std::uint32_t>(target_.exact_words.size())};
    append_prompt_tokens(prompt, plan.blocks, plan.block_size, salt_, vocabulary, tokens_);
    tokens_.erase(tokens_.begin(), tokens_.begin() + static_cast<std::ptrdiff_t>(added));
    for (std::uint32_t& token : tokens_) token = target_.exact_words[token];
    tokens_.front() = opening_word;
  }

  Target target_;
  std::uint64_t salt_;
  std::optional<LogTexts> texts_;
  std::vector<std::uint32_t> tokens_;
  std::string text_;
};

}  // namespace

BodyWriter body_writer(const Target& target, std::uint64_t salt, const std::vector<PromptText>* texts) {
  const auto maker = std::make_shared<BodyMaker>(target, salt, texts);
  return
      [maker](const Plan& plan, std::uint32_t plan_index, std::string& body) { maker->write(plan, plan_index, body); };
}

SamplingMembers sampling_members(const Target& target, Tokens completion) {
  SamplingMembers out;
  out.model = target.model;
  out.temperature_zero = !target.keeps_temperature;  // two members of one name: some engines refuse the body
  out.extra = target.extra_members;
  if (completion == Tokens(0)) return out;
  out.max_tokens = completion.value();
  if (target.sends_ignore_eos) out.ignore_eos = true;
  if (target.sends_min_tokens) out.min_tokens = completion.value();
  return out;
}

void append_text_body(std::string& body, Endpoint endpoint, const SamplingMembers& members, std::string_view text) {
  if (endpoint == Endpoint::chat) return append_chat_body(body, members, text);
  append_completions_body(body, members, text);
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
