#include "trace/length_estimate.h"

#include <algorithm>
#include <cmath>

#include "trace/numbers.h"

namespace loadline {
namespace {

Tokens estimated_tokens(std::int64_t characters, double ratio) {
  const double tokens = std::round(static_cast<double>(characters) * ratio);
  return Tokens(static_cast<std::int64_t>(std::clamp(tokens, 1.0, static_cast<double>(longest_length))));
}

}  // namespace

void LengthEstimate::Calibration::note(std::optional<Tokens> counted, std::optional<std::int64_t> written) {
  if (!counted || !written || *written <= 0) return;
  tokens += counted->value();
  characters += *written;
}

std::optional<double> LengthEstimate::Calibration::ratio() const {
  if (characters == 0 || tokens == 0) return std::nullopt;
  return static_cast<double>(tokens) / static_cast<double>(characters);
}

void LengthEstimate::note(std::size_t row, std::optional<Tokens> prompt, std::optional<std::int64_t> prompt_characters,
                          std::optional<Tokens> completion, std::optional<std::int64_t> completion_characters) {
  prompts_.note(prompt, prompt_characters);
  completions_.note(completion, completion_characters);
  const std::int64_t prompt_waits = prompt ? -1 : prompt_characters.value_or(-1);
  const std::int64_t completion_waits = completion ? -1 : completion_characters.value_or(-1);
  if (prompt_waits >= 0 || completion_waits >= 0) waiting_.push_back({row, prompt_waits, completion_waits});
}

void LengthEstimate::append(const LengthEstimate& other, std::size_t offset) {
  for (Waiting waiting : other.waiting_) {
    waiting.row += offset;
    waiting_.push_back(waiting);
  }
  prompts_.tokens += other.prompts_.tokens;
  prompts_.characters += other.prompts_.characters;
  completions_.tokens += other.completions_.tokens;
  completions_.characters += other.completions_.characters;
}

bool LengthEstimate::fill(std::optional<double> given, Trace& trace) const {
  const std::optional<double> prompt_ratio = given ? given : prompts_.ratio();
  const std::optional<double> own_ratio = given ? given : completions_.ratio();
  const std::optional<double> completion_ratio = own_ratio ? own_ratio : prompt_ratio;
  for (const Waiting& waiting : waiting_) {
    if (waiting.prompt_characters >= 0 && !prompt_ratio) return false;
    if (waiting.completion_characters >= 0 && !completion_ratio) return false;
  }
  for (const Waiting& waiting : waiting_) {
    TraceRow& row = trace.rows[waiting.row];
    if (waiting.prompt_characters >= 0) row.prompt = estimated_tokens(waiting.prompt_characters, *prompt_ratio);
    if (waiting.completion_characters >= 0) {
      row.completion = estimated_tokens(waiting.completion_characters, *completion_ratio);
    }
  }
  trace.tokens_estimated = true;
  trace.tokens_per_character = prompt_ratio ? prompt_ratio : completion_ratio;
  return true;
}

}  // namespace loadline
