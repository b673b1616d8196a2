// Bytes go through three machines: HTTP framing, server-sent events, OpenAI chunks. Every read has one stamp, and
// all output events in it get that stamp: the kernel's, where it gave one, so that a late wake-up of this thread
// does not move a token. Gaps are differences of the events' distances from the first one, each rounded down to
// whole units: so their sum never drifts from t_last - t_first.
#include "load/answer.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

namespace loadline {
namespace {

constexpr std::size_t beginning_limit = 64 * 1024;
constexpr std::size_t message_limit = 500;
constexpr std::uint64_t longest_retry_after_s = 1'000'000;

bool is_json(const ResponseHead& head) {
  return head.content_type == "application/json" || head.content_type.ends_with("+json");
}

}  // namespace

void AnswerReader::begin(std::size_t expected_events) {
  http_.reset();
  sse_.reset();
  beginning_.clear();
  message_.clear();
  gaps_.clear();
  gaps_.reserve(expected_events);
  usage_ = Usage{};
  token_ids_ = events_with_ids_ = shared_reads_ = 0;
  last_unit_ = 0;
  read_had_output_ = any_message_ = false;
  done_ = finished_ = is_error_ = malformed_ = left_over_ = false;
}

bool AnswerReader::is_stream() const {
  return http_.head().status >= 200 && http_.head().status < 300 && !is_json(http_.head());
}

bool AnswerReader::is_over() const { return http_.complete() || http_.failed() || sse_.failed() || malformed_; }

bool AnswerReader::on_bytes(std::string_view bytes, Arrival arrival, OpenAiEventReader& reader, RequestRecord& record) {
  // Time does not go back within an answer, whatever two clocks say.
  if (record.first_byte) arrival.at = std::max(arrival.at, last_read_);
  last_read_ = arrival.at;
  if (!record.first_byte) record.first_byte = arrival.at;
  read_had_output_ = false;
  while (!bytes.empty() && !is_over()) {
    const std::string_view body = http_.feed(bytes);
    if (!body.empty()) on_body(body, arrival, reader, record);
  }
  if (http_.head_complete() && !http_.failed()) record.http_status = http_.head().status;
  left_over_ = !bytes.empty();
  return is_over();
}

bool AnswerReader::on_end_of_input() {
  http_.end_of_input();
  return http_.complete();
}

void AnswerReader::on_body(std::string_view body, Arrival arrival, OpenAiEventReader& reader, RequestRecord& record) {
  if (!any_message_ && beginning_.size() < beginning_limit) {
    beginning_.append(body.substr(0, beginning_limit - beginning_.size()));
  }
  if (!is_stream()) return;
  while (const std::optional<SseEvent> event = sse_.next(body)) {
    if (event->kind == SseEvent::Kind::stray) {
      on_stray(event->data, reader);
    } else {
      on_message(*event, arrival, reader, record);
    }
  }
}

/// Errors that some servers write past the grammar: "error: {...}", or an object without any field name.
void AnswerReader::on_stray(std::string_view line, OpenAiEventReader& reader) {
  const std::string_view words = line.starts_with("error:") ? line.substr(6) : line;
  if (words.size() == line.size() && !line.starts_with('{')) return;
  const OpenAiEvent event = reader.read(words);
  if (words.size() == line.size() && !event.is_error) return;
  const std::string text(event.is_error ? event.error_message : reader.words_of(words));
  on_error(text.empty() ? words : text);
}

void AnswerReader::on_error(std::string_view words) {
  if (!is_error_) message_ = printable(words, message_limit);
  is_error_ = true;
}

void AnswerReader::on_message(const SseEvent& event, Arrival arrival, OpenAiEventReader& reader,
                              RequestRecord& record) {
  if (done_) return;
  any_message_ = true;
  if (event.type == "error") {
    const std::string words(reader.words_of(event.data));
    return on_error(words.empty() ? event.data : std::string_view(words));
  }
  const OpenAiEvent chunk = reader.read(event.data);
  if (chunk.malformed) {
    if (event.type != "message") return;  // "event: ping" and the like, with data of their own
    malformed_ = true;
    message_ =
        printable(fmt::format("an event's data is not JSON: {}", event.data.substr(0, message_limit)), message_limit);
    return;
  }
  if (chunk.is_error) return on_error(chunk.error_message);
  done_ |= chunk.done;
  finished_ |= chunk.finished;
  if (chunk.usage) usage_ = *chunk.usage;
  if (chunk.carries_output) on_output(chunk, arrival, record);
}

void AnswerReader::on_output(const OpenAiEvent& event, Arrival arrival, RequestRecord& record) {
  if (event.token_ids) {
    token_ids_ += *event.token_ids;
    ++events_with_ids_;
  }
  if (event.carries_answer && !record.first_answer) record.first_answer = arrival.at;
  if (!record.first_token) {
    record.first_token = arrival.at;
    record.stamp = arrival.stamp;
    if (event.token_ids) {
      record.first_event_tokens = Tokens(*event.token_ids);
    } else if (event.usage && event.usage->completion_tokens.value_or(0) > 0) {
      record.first_event_tokens = Tokens(*event.usage->completion_tokens);  // a running count
    }
  } else {
    const std::int64_t unit = (arrival.at - *record.first_token).count() / nanos_per_gap_unit;
    constexpr std::int64_t widest = std::numeric_limits<std::uint32_t>::max();
    gaps_.push_back(static_cast<std::uint32_t>(std::min(unit - last_unit_, widest)));
    last_unit_ = unit;
    if (read_had_output_) ++shared_reads_;
  }
  read_had_output_ = true;
  record.last_token = arrival.at;
  ++record.events;
}

/// Counts by the server: usage first, else the token ids where every output event told them. A 0 beside tokens that
/// we saw is a server that does not count (cached prompts on some): unknown.
void AnswerReader::count_tokens(RequestRecord& record) const {
  const auto counted = [&](std::optional<std::int64_t> count, bool zero_is_known) -> std::optional<Tokens> {
    if (!count || (*count == 0 && !zero_is_known)) return std::nullopt;
    return Tokens(*count);
  };
  const bool nothing_came = record.events == 0;
  record.prompt_tokens = counted(usage_.prompt_tokens, nothing_came);
  record.completion_tokens = counted(usage_.completion_tokens, nothing_came);
  record.reasoning_tokens = counted(usage_.reasoning_tokens, true);
  record.cached_tokens = counted(usage_.cached_tokens, true);
  if (!record.completion_tokens && record.events > 0 && events_with_ids_ == record.events) {
    record.completion_tokens = Tokens(static_cast<std::int64_t>(token_ids_));
  }
  record.token_source = record.completion_tokens ? TokenSource::server : TokenSource::none;
}

Outcome AnswerReader::judge_status(OpenAiEventReader& reader) {
  const std::uint16_t status = http_.head().status;
  message_ = error_words(reader, beginning_, message_limit);
  if (message_.empty()) message_ = fmt::format("HTTP {}", status);
  if (status == 429 || status == 503) return Outcome::rejected;
  if (status >= 500) return Outcome::http_5xx;
  if (status >= 400) return Outcome::http_4xx;
  message_ = fmt::format("HTTP {}: redirects are not followed; give the final URL", status);
  return Outcome::protocol_error;
}

/// Neither a finish_reason nor [DONE] came.
Outcome AnswerReader::judge_unfinished(AnswerEnd end, std::string_view why, OpenAiEventReader& reader) {
  const bool nothing_told = http_.head_complete() && !any_message_ && !beginning_.empty();
  if (nothing_told && reader.read(beginning_).is_error) {  // a plain JSON error, framed or not
    message_ = error_words(reader, beginning_, message_limit);
    return Outcome::stream_error;
  }
  const std::string& type = http_.head().content_type;
  switch (end) {
    case AnswerEnd::complete:
      if (nothing_told && type != "text/event-stream") {
        message_ =
            printable(fmt::format("the answer is {}, not an event stream: {}", type.empty() ? "of no type" : type,
                                  std::string_view(beginning_).substr(0, message_limit)),
                      message_limit);
        return Outcome::protocol_error;
      }
      message_ = sse_.mid_event() ? "the stream ended inside an event, without finish_reason or [DONE]"
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

Outcome AnswerReader::judge(AnswerEnd end, std::string_view why, OpenAiEventReader& reader,
                            const RequestRecord& record) {
  if (http_.failed() || sse_.failed()) {
    message_ = http_.failed() ? http_.problem() : sse_.problem();
    return Outcome::protocol_error;
  }
  if (http_.head_complete() && (http_.head().status < 200 || http_.head().status >= 300)) return judge_status(reader);
  if (is_error_) return Outcome::stream_error;
  if (malformed_) return Outcome::protocol_error;
  if (!done_ && !finished_) return judge_unfinished(end, why, reader);
  if (end == AnswerEnd::cancelled && !done_) return Outcome::censored;
  if (record.events == 0) {
    message_ = "the stream ended well, without one output token";
    return Outcome::empty;
  }
  const bool short_of_plan = record.completion_tokens && *record.completion_tokens < record.planned_completion;
  return short_of_plan ? Outcome::short_answer : Outcome::ok;
}

void AnswerReader::conclude(AnswerEnd end, std::string_view why, OpenAiEventReader& reader, RequestRecord& record) {
  if (http_.head_complete() && !http_.failed()) record.http_status = http_.head().status;
  if (http_.head_complete() && http_.head().retry_after_s) {
    record.retry_after = std::chrono::seconds(std::min(*http_.head().retry_after_s, longest_retry_after_s));
  }
  count_tokens(record);
  record.outcome = judge(end, why, reader, record);
  record.message = succeeded(record.outcome) ? std::string() : message_;
  record.coalesced = 2 * std::size_t{shared_reads_} > gaps_.size();
}

}  // namespace loadline
