#pragma once
// From a planned request to the bytes of its body, for one target.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/plan.h"
#include "target/target.h"
#include "wire/request_body.h"

namespace loadline {

/// Prompts come from the plan's recipes and `salt`: token ids where the target counts them exactly, else words: those
/// that make the length exactly where they are known (Target::exact_text), else as many as make it on average. A prompt
/// shorter than the template and two words is as long as these.
/// Where `texts` are given, one per row of the trace and outliving the writer, a request's row names the text that it
/// sends instead (target/log_texts.h). Its content is then real and so are its repeats: no salt is added.
/// Error where a text cannot be sent.
BodyWriter body_writer(const Target& target, std::uint64_t salt, const std::vector<PromptText>* texts = nullptr);

/// What a request says beside its prompt: the completion's length is asked for, and forced where the engine obeys; of
/// 0, unknown, nothing is said, so that the answer's length is the model's own. Holds views into `target`.
SamplingMembers sampling_members(const Target& target, Tokens completion);

/// The JSON object of --extra-body as members without braces: of the body, and of the object in it that holds the
/// endpoint's sampling members.
struct ExtraMembers {
  std::string text, sampling;
  bool has_temperature = false, has_ignore_eos = false, has_min_tokens = false, has_token_ids = false;
};
/// `endpoint` absent: what both chat and completions take. Error where it is no object, or names a member that the
/// measurement itself decides there (the model, the prompt, its lengths, stream, ...).
ExtraMembers extra_members(std::string_view json_object, std::optional<Endpoint> endpoint);

}  // namespace loadline
