// What an answer's end means: the counts that hold, the outcome, the words.
#include <fmt/core.h>

#include <algorithm>

#include "load/answer.h"

namespace loadline {
namespace {

constexpr std::size_t message_limit = 500;
constexpr std::uint64_t longest_retry_after_s = 1'000'000;

}  // namespace

/// Counts by the server: usage first, else the sum where every output event told its tokens. A 0 beside tokens that we
/// saw is a server that does not count (cached prompts on some): unknown.
void AnswerReader::count_tokens(RequestRecord& record) const {
  const auto counted = [&](std::optional<std::int64_t> count, bool zero_is_known) -> std::optional<Tokens> {
    if (!count || (*count == 0 && !zero_is_known)) return std::nullopt;
    return Tokens(*count);
  };
  const bool nothing_came = record.events == 0;
  const bool all_told = record.events > 0 && told_events_ == record.events;
  record.prompt_tokens = counted(usage_.prompt_tokens, nothing_came);
  record.completion_tokens = counted(usage_.completion_tokens, nothing_came);
  record.reasoning_tokens = counted(usage_.reasoning_tokens, true);
  record.cached_tokens = counted(usage_.cached_tokens, true);
  if (!record.completion_tokens && all_told) {
    record.completion_tokens = Tokens(static_cast<std::int64_t>(tokens_told_));
  }
  if (all_told) record.single_token_events = single_events_;
  record.token_source = record.completion_tokens ? TokenSource::server : TokenSource::none;
}

Outcome AnswerReader::judge_status(StreamEventReader& reader) {
  message_ = error_words(reader, body_, message_limit);
  if (message_.empty()) message_ = fmt::format("HTTP {}", status_);
  if (retry_after_s_) message_ += fmt::format(" (Retry-After: {} s)", *retry_after_s_);
  if (status_ == 429 || status_ == 503) return Outcome::rejected;
  if (status_ >= 500) return Outcome::http_5xx;
  if (status_ >= 400) return Outcome::http_4xx;
  message_ = fmt::format("HTTP {}: redirects are not followed; give the final URL", status_);
  return Outcome::protocol_error;
}

/// Neither a finish_reason nor [DONE] came.
Outcome AnswerReader::judge_unfinished(AnswerEnd end, std::string_view why, StreamEventReader& reader) {
  const bool nothing_told = status_ != 0 && !any_message_ && !body_.empty();
  if (nothing_told && reader.read(expected_.format, {}, body_).is_error) {  // a plain JSON error, framed or not
    message_ = error_words(reader, body_, message_limit);
    return Outcome::stream_error;
  }
  switch (end) {
    case AnswerEnd::complete:
      if (nothing_told && content_type_ != "text/event-stream") {
        message_ = printable(fmt::format("the answer is {}, not a stream of events: {}",
                                         content_type_.empty() ? "of no type" : content_type_,
                                         std::string_view(body_).substr(0, message_limit)),
                             message_limit);
        return Outcome::protocol_error;
      }
      message_ = cut_inside_ ? "the stream ended inside an event, without finish_reason or [DONE]"
                             : "the stream ended without finish_reason or [DONE]";
      return Outcome::no_finish;
    case AnswerEnd::cut:
      message_ = printable(why.empty() ? "the connection was cut" : why, message_limit);
      return Outcome::connection_cut;
    case AnswerEnd::no_first_byte:
      message_ = "no answer within the first-byte timeout";
      return Outcome::no_first_byte;
    case AnswerEnd::idle_timeout:
      message_ = "the stream fell silent for the idle timeout";
      return Outcome::idle_timeout;
    case AnswerEnd::total_timeout:
      message_ = "not ended within the total timeout";
      return Outcome::total_timeout;
    case AnswerEnd::cancelled:
      break;
  }
  return Outcome::censored;
}

Outcome AnswerReader::judge(AnswerEnd end, std::string_view why, StreamEventReader& reader,
                            const RequestRecord& record) {
  if (framing_failed_) return Outcome::protocol_error;
  if (sse_.failed() || (lines_ && lines_->failed())) {
    message_ = sse_.failed() ? sse_.problem() : lines_->problem();
    return Outcome::protocol_error;
  }
  if (status_ != 0 && !is_good_status()) return judge_status(reader);
  if (is_error_) return Outcome::stream_error;
  if (malformed_) return Outcome::protocol_error;
  if (!done_ && !finished_) return judge_unfinished(end, why, reader);
  if (end == AnswerEnd::cancelled && !done_ && !ended_) return Outcome::censored;
  if (record.events == 0) {
    message_ = expected_.streamed ? "the stream ended well, without one output token"
                                  : "the answer is well formed, without one output token";
    return Outcome::empty;
  }
  const bool short_of_plan = record.completion_tokens && *record.completion_tokens < record.planned_completion;
  return short_of_plan ? Outcome::short_answer : Outcome::ok;
}

void AnswerReader::conclude(AnswerEnd end, std::string_view why, StreamEventReader& reader, RequestRecord& record) {
  if (retry_after_s_) record.retry_after = std::chrono::seconds(std::min(*retry_after_s_, longest_retry_after_s));
  count_tokens(record);
  record.outcome = judge(end, why, reader, record);
  record.message = succeeded(record.outcome) ? std::string() : message_;
  record.coalesced = 2 * std::size_t{shared_reads_} > gaps_.size();
}

}  // namespace loadline
