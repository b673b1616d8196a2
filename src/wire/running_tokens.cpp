#include "wire/running_tokens.h"

#include <utility>

namespace loadline {

void RunningTokens::reset(StreamFormat format) {
  runs_on_ = format == StreamFormat::sglang || format == StreamFormat::llamacpp;
  so_far_ = 0;
  is_first_ = true;
  is_finished_ = false;
  any_output_ = false;
}

RunningTokens::Step RunningTokens::take(const StreamEvent& event) {
  Step step;
  step.is_output = event.carries_output || has_grown(event);
  step.tokens = tokens_of(event, step.is_output);
  runs_on_ |= event.counts_on && !event.finished;
  is_finished_ |= event.finished;
  is_first_ = false;
  any_output_ |= step.is_output;
  return step;
}

/// Only against a count that is known: a report at the end of a stream that told nothing before is no token.
bool RunningTokens::has_grown(const StreamEvent& event) const {
  if (!event.counts_on || is_finished_ || !so_far_) return false;
  const std::int64_t count = *event.usage->completion_tokens;
  return count > *so_far_ && (runs_on_ || (is_first_ && count == 1));
}

std::optional<std::uint32_t> RunningTokens::tokens_of(const StreamEvent& event, bool is_output) {
  if (event.token_ids) {
    if (so_far_) *so_far_ += *event.token_ids;
    return event.token_ids;
  }
  if (event.counts_on) {
    const std::int64_t count = *event.usage->completion_tokens;
    if (count == 0 && any_output_) {  // it does not count
      so_far_.reset();
      return std::nullopt;
    }
    const std::optional<std::int64_t> before = std::exchange(so_far_, count);
    if (!before || count <= *before) return std::nullopt;
    return static_cast<std::uint32_t>(count - *before);
  }
  if (is_output) so_far_.reset();
  return std::nullopt;
}

}  // namespace loadline
