#pragma once
// Text prompts of exact lengths, without a tokenizer of our own: words that are one token each for this target, and
// the constant that its template adds.

#include <cstdint>
#include <functional>
#include <string>

#include "core/units.h"
#include "target/target.h"
#include "target/trial.h"

namespace loadline {

/// Sends the body of a trial request to `target.endpoint`, and does not throw for what the server answers.
using TrialSender = std::function<TrialAnswer(const std::string& body)>;

/// Sets exact_text, exact_words, tokens_per_word (1) and template_tokens of a target that counts prompt tokens, and has
/// answered prompts of words. The words are looked for by the engine's /tokenize, within `timeout` each, or else by the
/// usage counts of small requests; the constant is always measured by usage on the endpoint itself, and a prompt of
/// another length, written by the load's own writer, must then count as it was made. At most 24 requests, of one output
/// token each. Where lengths cannot be made exact, only a remark is added that says why.
void find_exact_text(Target& target, const TrialSender& send, std::uint64_t salt, Nanos timeout);

}  // namespace loadline
