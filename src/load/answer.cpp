// Bytes go through three machines: framing, events, JSON. Every read has one stamp, and all output events in it get
// that stamp: the kernel's, where it gave one, so that a late wake-up of this thread does not move a token. Gaps are
// differences of the events' distances from the first one, each rounded down to whole units: so their sum never drifts
// from t_last - t_first. What is judged at the end is in answer_outcome.cpp.
#include "load/answer.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

namespace loadline {
namespace {

constexpr std::size_t beginning_limit = 64 * 1024;
constexpr std::size_t whole_limit = 256 * 1024 * 1024;
constexpr std::size_t most_words = 500;

bool is_json_type(std::string_view type) { return type == "application/json" || type.ends_with("+json"); }

/// Every event of these says what it is, in its type too.
bool is_typed(StreamFormat format) { return format == StreamFormat::responses || format == StreamFormat::anthropic; }

}  // namespace

void AnswerReader::begin(const ExpectedAnswer& expected) {
  expected_ = expected;
  expected_.streamed &= expected.format != StreamFormat::embeddings;
  http_.reset();
  sse_.reset();
  if (expected.format == StreamFormat::ollama && !lines_) lines_ = std::make_unique<JsonLines>();
  if (lines_) lines_->reset();
  status_ = 0;
  content_type_.clear();
  retry_after_s_.reset();
  body_.clear();
  message_.clear();
  text_.reset();
  if (expected.keep_text) text_ = std::make_unique<std::string>();
  gaps_.clear();
  usage_ = Usage{};
  running_.reset(expected.format);
  tokens_told_ = told_events_ = single_events_ = shared_reads_ = 0;
  last_unit_ = 0;
  last_read_ = last_body_ = Arrival{};
  started_ = ended_ = any_message_ = false;
  done_ = finished_ = is_error_ = false;
  malformed_ = framing_failed_ = cut_inside_ = left_over_ = false;
}

bool AnswerReader::is_stream() const {
  if (!is_good_status() || !expected_.streamed) return false;
  return expected_.format == StreamFormat::ollama || !is_json_type(content_type_);
}

bool AnswerReader::is_over() const {
  return ended_ || framing_failed_ || malformed_ || sse_.failed() || (lines_ && lines_->failed());
}

/// Time does not go back within an answer, whatever two clocks say.
Arrival AnswerReader::note(Arrival arrival, RequestRecord& record) {
  if (started_) arrival.at = std::max(arrival.at, last_read_.at);
  started_ = true;
  last_read_ = arrival;
  if (!record.first_byte) record.first_byte = arrival.at;
  return arrival;
}

bool AnswerReader::on_bytes(std::string_view bytes, Arrival arrival, StreamEventReader& reader, RequestRecord& record) {
  note(arrival, record);
  while (!bytes.empty() && !is_over()) {
    const bool had_head = http_.head_complete();
    const std::string_view piece = http_.feed(bytes);
    if (!had_head && http_.head_complete()) {
      on_head(http_.head(), arrival, record);
      http_.forget_words();
    }
    if (!piece.empty()) on_body(piece, arrival, reader, record);
    if (http_.failed()) on_framing_failed(http_.problem());
    if (http_.complete() && !is_over()) on_body_end(reader, record);
  }
  left_over_ = !bytes.empty();
  return is_over();
}

bool AnswerReader::on_end_of_input(StreamEventReader& reader, RequestRecord& record) {
  http_.end_of_input();
  if (http_.complete() && !is_over()) on_body_end(reader, record);
  return http_.complete();
}

void AnswerReader::on_head(const ResponseHead& head, Arrival arrival, RequestRecord& record) {
  note(arrival, record);
  status_ = record.http_status = head.status;
  content_type_ = head.content_type;
  retry_after_s_ = head.retry_after_s;
}

bool AnswerReader::on_body(std::string_view piece, Arrival arrival, StreamEventReader& reader, RequestRecord& record) {
  last_body_ = note(arrival, record);
  const bool is_whole = is_good_status() && !expected_.streamed;
  const std::size_t limit = is_whole ? whole_limit : beginning_limit;
  if (!any_message_ && body_.size() < limit) body_.append(piece.substr(0, limit - body_.size()));
  if (is_stream()) take_body(piece, reader, record);
  return is_over();
}

void AnswerReader::take_body(std::string_view piece, StreamEventReader& reader, RequestRecord& record) {
  if (expected_.format == StreamFormat::ollama) {
    while (const std::optional<std::string_view> line = lines_->next(piece)) {
      take_message("message", *line, reader, record);
      if (malformed_) return;
    }
    return;
  }
  while (const std::optional<SseEvent> event = sse_.next(piece)) {
    take_event(*event, reader, record);
    if (malformed_) return;
  }
}

void AnswerReader::take_event(const SseEvent& event, StreamEventReader& reader, RequestRecord& record) {
  if (event.kind == SseEvent::Kind::stray) return on_stray(event.data, reader);
  take_message(event.type, event.data, reader, record);
}

void AnswerReader::on_body_end(StreamEventReader& reader, RequestRecord& record) {
  ended_ = true;
  if (is_good_status() && !expected_.streamed) return take_whole(reader, record);
  if (is_stream() && !malformed_) take_last_message(reader, record);
}

/// A last event without its line end or blank line. What is no JSON there was cut, not malformed.
void AnswerReader::take_last_message(StreamEventReader& reader, RequestRecord& record) {
  cut_inside_ = is_mid_event();
  if (lines_) {
    if (const std::optional<std::string_view> line = lines_->finish()) take_message("message", *line, reader, record);
  }
  while (const std::optional<SseEvent> event = sse_.finish()) take_event(*event, reader, record);
  cut_inside_ &= malformed_;
  malformed_ = false;
}

/// Errors that some servers write past the grammar: "error: {...}", or an object without any field name.
void AnswerReader::on_stray(std::string_view line, StreamEventReader& reader) {
  const std::string_view words = line.starts_with("error:") ? line.substr(6) : line;
  if (words.size() == line.size() && !line.starts_with('{')) return;
  const StreamEvent event = reader.read(expected_.format, {}, words);
  if (words.size() == line.size() && !event.is_error) return;
  const std::string text(event.is_error ? event.error_message : reader.words_of(words));
  on_error(text.empty() ? words : text);
}

void AnswerReader::on_error(std::string_view words) {
  if (!is_error_) message_ = printable(words.empty() ? "an error without words" : words, most_words);
  is_error_ = true;
}

void AnswerReader::on_framing_failed(std::string_view problem) {
  framing_failed_ = true;
  message_ = printable(problem, most_words);
}

void AnswerReader::on_malformed(std::string_view type, std::string_view data) {
  // "event: ping" and the like, with data of their own.
  if (type == "ping" || (type != "message" && !is_typed(expected_.format))) return;
  malformed_ = true;
  const char* what = expected_.format == StreamFormat::ollama ? "a line" : "an event's data";
  message_ = printable(fmt::format("{} is not JSON: {}", what, data.substr(0, most_words)), most_words);
}

void AnswerReader::take_message(std::string_view type, std::string_view data, StreamEventReader& reader,
                                RequestRecord& record) {
  if (done_) return;
  if (!any_message_) std::string().swap(body_);  // was its beginning; thousands of them would be megabytes
  any_message_ = true;
  if (type == "error") {
    const std::string words(reader.words_of(data));
    return on_error(words.empty() ? data : std::string_view(words));
  }
  const StreamEvent event = reader.read(expected_.format, type, data, text_.get());
  if (event.malformed) return on_malformed(type, data);
  if (event.usage) usage_.update(*event.usage);
  const RunningTokens::Step step = running_.take(event);
  if (step.is_output) on_output(event, step, record);
  if (event.is_error) return on_error(event.error_message);
  done_ |= event.done;
  finished_ |= event.finished;
}

void AnswerReader::on_output(const StreamEvent& event, const RunningTokens::Step& step, RequestRecord& record) {
  const RunTime at = last_body_.at;
  if (step.tokens) {
    tokens_told_ += *step.tokens;
    ++told_events_;
    if (*step.tokens == 1) ++single_events_;
  }
  if (event.carries_answer && !record.first_answer) record.first_answer = at;
  if (!record.first_token) {
    record.first_token = at;
    record.stamp = last_body_.stamp;
    if (step.tokens) record.first_event_tokens = Tokens(*step.tokens);
  } else {
    const std::int64_t unit = (at - *record.first_token).count() / nanos_per_gap_unit;
    constexpr std::int64_t widest = std::numeric_limits<std::uint32_t>::max();
    gaps_.push_back(static_cast<std::uint32_t>(std::min(unit - last_unit_, widest)));
    last_unit_ = unit;
    if (at == *record.last_token) ++shared_reads_;
  }
  record.last_token = at;
  ++record.events;
}

void AnswerReader::take_whole(StreamEventReader& reader, RequestRecord& record) {
  const StreamEvent event = reader.read_whole(expected_.format, body_, text_.get());
  if (event.malformed) {
    malformed_ = true;
    message_ =
        printable(fmt::format("the answer ({}) is not JSON: {}", content_type_.empty() ? "of no type" : content_type_,
                              std::string_view(body_).substr(0, most_words)),
                  most_words);
    return;
  }
  if (event.is_error) return on_error(event.error_message);
  finished_ = true;
  if (event.usage) usage_ = *event.usage;
  if (!event.carries_output) return;
  record.last_token = last_body_.at;
  record.stamp = last_body_.stamp;
  record.events = 1;
}

}  // namespace loadline
