#include "wire/running_tokens.h"

#include <utility>

namespace loadline {

void RunningTokens::reset(StreamFormat format) {
  runs_on_ = format == StreamFormat::sglang || format == StreamFormat::llamacpp;
  so_far_ = 0;
}

RunningTokens::Step RunningTokens::take(const StreamEvent& event) {
  Step step;
  runs_on_ |= event.counts_on && !event.finished;
  const bool has_grown = event.counts_on && runs_on_ && *event.usage->completion_tokens > so_far_.value_or(0);
  step.is_output = event.carries_output || has_grown;
  step.tokens = tokens_of(event, step.is_output);
  return step;
}

std::optional<std::uint32_t> RunningTokens::tokens_of(const StreamEvent& event, bool is_output) {
  if (event.token_ids) {
    if (so_far_) *so_far_ += *event.token_ids;
    return event.token_ids;
  }
  if (event.counts_on) {
    const std::int64_t count = *event.usage->completion_tokens;
    const std::optional<std::int64_t> before = std::exchange(so_far_, count);
    if (!before || count <= *before) return std::nullopt;
    return static_cast<std::uint32_t>(count - *before);
  }
  if (is_output) so_far_.reset();
  return std::nullopt;
}

}  // namespace loadline
