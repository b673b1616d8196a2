#include "trace/logged_request.h"

#include <algorithm>

#include "trace/characters.h"
#include "trace/chat_messages.h"
#include "trace/numbers.h"
#include "trace/refusal.h"

namespace loadline {
namespace {

constexpr std::array<std::string_view, 8> nothing_words{"", "-", "null", "NULL", "None", "nan", "NaN", "\\N"};
constexpr std::array<std::string_view, 4> failure_words{"failure", "failed", "error", "errored"};
constexpr std::array<std::string_view, 8> success_words{"ok",        "success",  "successful", "succeeded",
                                                        "completed", "complete", "true",       "2xx"};
/// What a proxy writes in place of messages it was told not to log: the same for everybody, so it tells no prefix.
constexpr std::string_view redaction = "redacted-by-litellm";

std::string lower(std::string_view text) {
  std::string low(text);
  std::ranges::transform(low, low.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return low;
}

bool is_failure(std::string_view word) { return std::ranges::count(failure_words, lower(word)) > 0; }

bool is_empty_json(std::string_view text) { return text == "{}" || text == "[]" || text == "false"; }

}  // namespace

void LoggedRequest::begin() {
  builder_.begin_row();
  present_.reset();
  ranks_.fill(0);
  numbers_.fill(0);
  session_.clear();
  client_.clear();
  kind_.clear();
  failed_ = no_model_ = malformed_ = out_of_range_ = bad_time_ = not_utf8_ = false;
}

void LoggedRequest::take_length(LogField field, std::string_view text) {
  const Parsed<Tokens> length = parse_length(text);
  malformed_ = malformed_ || length.state == NumberState::malformed;
  out_of_range_ = out_of_range_ || length.state == NumberState::out_of_range;
  const bool adds_up = field == LogField::prompt_part || field == LogField::completion_part;
  numbers_[at(field)] = length.value.value() + (adds_up ? numbers_[at(field)] : 0);
}

void LoggedRequest::take_time(const FieldRule& rule, std::string_view text) {
  std::optional<Nanos> time;
  if (rule.field == LogField::duration) {
    const ParsedSpan span = parse_span(text, rule.unit.value_or(std::chrono::seconds(1)));
    if (span.ok() && span.value >= Nanos(0)) time = span.value;
  } else {
    time = stamps_.read(text, rule.unit);
  }
  bad_time_ = bad_time_ || !time;
  numbers_[at(rule.field)] = time.value_or(Nanos(0)).count();
}

/// A status of HTTP, or a word that says how the request ended.
void LoggedRequest::take_status(std::string_view text) {
  const Parsed<Tokens> status = parse_length(text);
  const std::int64_t code = status.value.value();
  const bool answered = code >= 100 && code < 400;  // below 100: the client went away before there was a status
  failed_ = failed_ || !(status.ok() ? answered : std::ranges::count(success_words, lower(text)) > 0);
  numbers_[at(LogField::status)] = code;
}

void LoggedRequest::take_word(LogField field, std::string_view text) {
  not_utf8_ = not_utf8_ || !simdjson::validate_utf8(text.data(), text.size());
  if (field == LogField::session) session_ = text;
  if (field == LogField::client) client_ = text;
  if (field == LogField::kind) kind_ = text;
  if (field == LogField::gateway_answered) no_model_ = no_model_ || lower(text) == "true";
  if (field == LogField::outcome) failed_ = failed_ || is_failure(text);
  if (field == LogField::error) failed_ = failed_ || !is_empty_json(text);
  if (field == LogField::status) take_status(text);
  if (field == LogField::completion_text) numbers_[at(field)] += count_characters(text);
}

/// A copy is parsed, so that a list that is no chat's costs no more than itself.
bool LoggedRequest::add_messages(std::string_view json) {
  chat_.assign(json);
  chat_.append(simdjson::SIMDJSON_PADDING, ' ');
  simdjson::ondemand::document document;
  simdjson::ondemand::array messages;
  bool added = false;
  return !chat_parser_.iterate(chat_.data(), json.size(), chat_.size()).get(document) &&
         !document.get_array().get(messages) && !read_chat_prompt(messages, builder_).get(added) && added;
}

void LoggedRequest::take_prompt_text(std::string_view text) {
  if (!simdjson::validate_utf8(text.data(), text.size())) {
    not_utf8_ = true;
  } else if (!text.starts_with('[') || !add_messages(text)) {
    builder_.begin_row();  // drops what looked like messages and was none
    builder_.add_text(text);
  }
}

bool LoggedRequest::take(const FieldRule& rule, std::size_t rank, std::string_view text) {
  const LogField field = rule.field;
  const bool keeps_blanks = field == LogField::completion_text || field == LogField::prompt_text;
  if (!keeps_blanks) text = trimmed(text);
  if (std::ranges::count(nothing_words, text) > 0) return false;
  const bool adds_up =
      field == LogField::prompt_part || field == LogField::completion_part || field == LogField::completion_text;
  if (has(field) && !adds_up && (ranks_[at(field)] < rank || field == LogField::prompt_text)) return true;
  if (field == LogField::prompt_text && (is_empty_json(text) || text.find(redaction) != std::string_view::npos))
    return false;
  present_.set(at(field));
  ranks_[at(field)] = rank;
  switch (field) {
    case LogField::arrival:
    case LogField::end:
    case LogField::duration:
      take_time(rule, text);
      break;
    case LogField::session:
    case LogField::client:
    case LogField::kind:
    case LogField::gateway_answered:
    case LogField::outcome:
    case LogField::error:
    case LogField::status:
    case LogField::completion_text:
      take_word(field, text);
      break;
    case LogField::prompt_text:
      take_prompt_text(text);
      break;
    default:
      take_length(field, text);
  }
  return true;
}

void LoggedRequest::take_nested(const FieldRule& rule, std::size_t rank, std::string_view json) {
  switch (rule.field) {
    case LogField::prompt_text:
    case LogField::error:
      take(rule, rank, json);
      break;
    case LogField::prompt:
    case LogField::completion:
    case LogField::prompt_characters:
    case LogField::completion_characters:
      malformed_ = true;
      break;
    case LogField::arrival:
    case LogField::end:
    case LogField::duration:
      bad_time_ = true;
      break;
    default:
      break;  // a name or a detail that is none: as good as absent
  }
}

/// Some exporters leave the parts in the whole, others take them out: the total tells.
bool LoggedRequest::is_parts_inside() const {
  return has(LogField::total) && has(LogField::prompt) && has(LogField::completion) &&
         number(LogField::prompt) + number(LogField::completion) == number(LogField::total);
}

std::optional<Tokens> LoggedRequest::tokens(LogField field) const {
  return has(field) ? std::optional(Tokens(number(field))) : std::nullopt;
}

std::optional<std::int64_t> LoggedRequest::characters(LogField field) const {
  return has(field) ? std::optional(number(field)) : std::nullopt;
}

std::optional<Tokens> LoggedRequest::sum(LogField whole, LogField part) const {
  if (!has(whole) || !has(part) || is_parts_inside()) return tokens(whole);
  return Tokens(number(whole) + number(part));
}

std::optional<Nanos> LoggedRequest::arrival() const {
  if (has(LogField::arrival)) return Nanos(number(LogField::arrival));
  if (!has(LogField::end) || !has(LogField::duration)) return std::nullopt;
  return Nanos(number(LogField::end) - number(LogField::duration));
}

bool LoggedRequest::about_no_request(KindTest* is_request) const {
  const bool has_lengths = number(LogField::prompt) > 0 && number(LogField::completion) > 0;
  return no_model_ || (is_request != nullptr && has(LogField::kind) && !is_request(kind_, has_lengths));
}

std::string_view LoggedRequest::reason() const {
  if (failed_) return refusal::failed;
  if (not_utf8_) return refusal::not_utf8;
  if (malformed_) return refusal::malformed;
  if (bad_time_) return refusal::bad_timestamp;
  const bool more_cached_than_sent = has(LogField::cached) && has(LogField::prompt) &&
                                     number(LogField::cached) > sum(LogField::prompt, LogField::prompt_part)->value();
  return out_of_range_ || more_cached_than_sent ? refusal::out_of_range : std::string_view();
}

std::optional<Nanos> LoggedRequest::duration() const {
  if (has(LogField::duration)) return Nanos(number(LogField::duration));
  if (!has(LogField::arrival) || !has(LogField::end)) return std::nullopt;
  return Nanos(number(LogField::end) - number(LogField::arrival));
}

ReadRow LoggedRequest::row() const {
  ReadRow row;
  row.time = arrival();
  row.duration = duration();
  row.prompt = sum(LogField::prompt, LogField::prompt_part);
  row.completion = sum(LogField::completion, LogField::completion_part);
  row.prompt_characters = characters(LogField::prompt_characters);
  row.completion_characters = characters(LogField::completion_characters);
  if (!row.completion_characters) row.completion_characters = characters(LogField::completion_text);
  row.cached = tokens(LogField::cached);
  row.detail.max_completion = tokens(LogField::max_completion);
  if (number(LogField::status) > 0) row.detail.status = static_cast<std::uint16_t>(number(LogField::status));
  if (has(LogField::session)) row.session = builder_.session(session_);
  if (has(LogField::client)) row.detail.client = builder_.client(client_);
  return row;
}

void LoggedRequest::deliver(std::uint64_t line, KindTest* is_request, bool completion_may_lack) {
  if (about_no_request(is_request)) return builder_.filter(filter::not_a_request);
  const std::string_view why_not = reason();
  if (!why_not.empty()) return builder_.refuse(why_not, line);
  ReadRow request = row();
  request.completion_unknown = completion_may_lack;
  builder_.add(request, line);
}

}  // namespace loadline
