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

using nlohmann::ordered_json;

/// Of a target, what a body needs.
class BodyMaker {
 public:
  BodyMaker(const Target& target, std::uint64_t salt, const std::vector<PromptText>* texts)
      : target_(target), shape_(endpoint_row(target.endpoint).body), salt_(salt) {
    if (texts != nullptr) texts_.emplace(*texts);
  }

  void write(const Plan& plan, std::uint32_t plan_index, std::string& body) {
    check(plan_index < plan.requests.size(), "a body is of a planned request");
    const Request& request = plan.requests[plan_index].request;
    const SamplingMembers members = sampling_members(target_, request.completion);
    body.clear();
    if (texts_) return texts_->append_body(request.row, shape_, members, body);
    tokens_.clear();
    if (target_.token_ids) {
      append_prompt_tokens(request.prompt, plan.blocks, plan.block_size, salt_, target_.vocabulary, tokens_);
      return append_token_body(body, shape_, members, tokens_);
    }
    if (target_.exact_text) {
      choose_exact_words(plan, request.prompt);
    } else {
      choose_words(plan, request.prompt);
    }
    text_.clear();
    append_words(tokens_, text_);
    append_text_body(body, shape_, members, text_);
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
  const BodyShape& shape_;
  std::uint64_t salt_;
  std::optional<LogTexts> texts_;
  std::vector<std::uint32_t> tokens_;
  std::string text_;
};

std::vector<Endpoint> possible_endpoints(std::optional<Endpoint> endpoint) {
  return endpoint ? std::vector{*endpoint} : std::vector{Endpoint::chat, Endpoint::completions};
}

void refuse_reserved(const ordered_json& object, const std::vector<std::string_view>& reserved,
                     const std::string& place) {
  for (const std::string_view decided : reserved) {
    if (!object.contains(std::string(decided))) continue;
    throw Error(
        fmt::format("--extra-body: \"{}{}\" is decided by the measurement and cannot be replaced", place, decided));
  }
}

std::string without_braces(const ordered_json& object) {
  const std::string text = object.dump();
  return text.substr(1, text.size() - 2);
}

void note_members(const ordered_json& object, ExtraMembers& out) {
  out.has_temperature = out.has_temperature || object.contains("temperature") || object.contains("do_sample");
  out.has_ignore_eos = out.has_ignore_eos || object.contains("ignore_eos");
  out.has_min_tokens = out.has_min_tokens || object.contains("min_tokens");
  out.has_token_ids = out.has_token_ids || object.contains("return_token_ids");
}

/// Moves what the user has for the container out of `body`: its members join those of the measurement.
void take_container(const EndpointRow& row, ordered_json& body, ExtraMembers& out) {
  const std::string name(row.body.container);
  const auto container = body.find(name);
  if (container == body.end()) return;
  if (!container->is_object()) throw Error(fmt::format("--extra-body: \"{}\" must be a JSON object", name));
  refuse_reserved(*container, row.reserved_sampling, name + ".");
  note_members(*container, out);
  out.sampling = without_braces(*container);
  body.erase(container);
}

}  // namespace

BodyWriter body_writer(const Target& target, std::uint64_t salt, const std::vector<PromptText>* texts) {
  const auto maker = std::make_shared<BodyMaker>(target, salt, texts);
  return
      [maker](const Plan& plan, std::uint32_t plan_index, std::string& body) { maker->write(plan, plan_index, body); };
}

SamplingMembers sampling_members(const Target& target, Tokens completion) {
  SamplingMembers out;
  out.model = target.model;
  out.greedy = !target.keeps_temperature;  // two members of one name: some engines refuse the body
  out.stream = target.streamed;
  out.extra = target.extra_members;
  out.extra_sampling = target.extra_sampling;
  if (completion == Tokens(0)) return out;
  out.max_tokens = completion.value();
  if (target.sends_ignore_eos) out.ignore_eos = true;
  if (target.sends_min_tokens) out.min_tokens = completion.value();
  return out;
}

ExtraMembers extra_members(std::string_view json_object, std::optional<Endpoint> endpoint) {
  if (json_object.empty()) return {};
  ordered_json body = ordered_json::parse(json_object, nullptr, false);
  if (!body.is_object()) throw Error("--extra-body: write a JSON object, such as '{\"top_k\": 1}'");
  refuse_reserved(body, {"model", "stream", "stream_options", "n"}, "");
  ExtraMembers out;
  for (const Endpoint possible : possible_endpoints(endpoint)) {
    const EndpointRow& row = endpoint_row(possible);
    refuse_reserved(body, row.reserved, "");
    if (!row.body.container.empty()) take_container(row, body, out);
  }
  note_members(body, out);
  out.text = without_braces(body);
  return out;
}

}  // namespace loadline
