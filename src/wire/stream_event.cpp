// Every format is walked the same way: the framing's type, then the fields of one object in the server's order, each
// given to the format first and else looked at for an error; then the format judges what it saw.
#include "wire/stream_event.h"

#include <algorithm>

#include "wire/event_fields.h"
#include "wire/event_shape.h"
#include "wire/http_request.h"

namespace loadline {
namespace {

using json::Kind;
using json::Value;

bool read_format_field(StreamFormat format, std::string_view key, Value& value, EventFields& fields) {
  switch (format) {
    case StreamFormat::openai:
      return read_openai_field(key, value, fields);
    case StreamFormat::responses:
      return read_responses_field(key, value, fields);
    case StreamFormat::anthropic:
      return read_anthropic_field(key, value, fields);
    case StreamFormat::tgi:
      return read_tgi_field(key, value, fields);
    case StreamFormat::sglang:
      return read_sglang_field(key, value, fields);
    case StreamFormat::llamacpp:
      return read_llamacpp_field(key, value, fields);
    case StreamFormat::ollama:
      return read_ollama_field(key, value, fields);
    case StreamFormat::embeddings:
      return read_embeddings_field(key, value, fields);
  }
  return false;
}

void end_object(StreamFormat format, EventFields& fields) {
  if (format == StreamFormat::openai) end_openai(fields);
  if (format == StreamFormat::responses) end_responses(fields);
  if (format == StreamFormat::anthropic) end_anthropic(fields);
  if (format == StreamFormat::sglang) end_sglang(fields);
  if (format == StreamFormat::llamacpp) end_llamacpp(fields);
}

void read_field(StreamFormat format, std::string_view key, Value& value, EventFields& fields) {
  if (read_format_field(format, key, value, fields)) return;
  if (key == "error") {
    fields.event.is_error |= read_error(value, fields.error_words);
  } else if (key == "type" || key == "object") {
    const std::string_view told = json::text_of(value);
    fields.event.is_error |= told == "error";
    if (key == "type" && !told.empty()) fields.type = told;
  } else if ((key == "message" || key == "detail") && fields.error_words.empty()) {
    fields.error_words = json::text_of(value);
  }
}

// Streams whose events do not repeat themselves pay for a shape only so often.
constexpr std::uint32_t misses_in_a_row = 8, misses_between = 64;

/// An event of a word and nothing else: most of a stream.
bool is_plain_output(const StreamEvent& event) {
  return event.carries_output && !event.finished && !event.usage && !event.is_error && !event.malformed && !event.done;
}

std::string_view without_trailing_blanks(std::string_view text) {
  while (!text.empty() && text.back() <= ' ' && text.back() > 0) text.remove_suffix(1);
  return text;
}

}  // namespace

void Usage::update(const Usage& later) {
  if (later.prompt_tokens) prompt_tokens = later.prompt_tokens;
  if (later.completion_tokens) completion_tokens = later.completion_tokens;
  if (later.reasoning_tokens) reasoning_tokens = later.reasoning_tokens;
  if (later.cached_tokens) cached_tokens = later.cached_tokens;
}

struct StreamEventReader::Parser {
  simdjson::ondemand::parser json;
  simdjson::dom::parser whole_json;
  std::string buffer;       ///< the payload, with the padding that simdjson reads past its end
  std::string error_words;  ///< what StreamEvent::error_message points into
  EventShape shape;
  StreamEvent of_shape;  ///< what every event of that shape is
  std::uint32_t misses = 0;

  /// Keeps the shape of an event that is likely to be repeated.
  void remember(std::string_view data, const StreamEvent& event) {
    const bool has_escape = data.find('\\') != std::string_view::npos;  // its word would be no hole
    if (!is_plain_output(event) || !error_words.empty() || has_escape) return;
    if (++misses > misses_in_a_row && misses % misses_between != 0) return;
    shape.learn(data);
    of_shape = event;
  }

  /// False where `data` is neither an object nor null (nor, of a whole embedding, an array).
  bool read_value(StreamFormat format, std::string_view data, EventFields& fields) {
    buffer.reserve(data.size() + simdjson::SIMDJSON_PADDING);
    buffer.assign(data);
    simdjson::ondemand::document document;
    if (json.iterate(buffer.data(), data.size(), buffer.capacity()).get(document) != simdjson::SUCCESS) return false;
    Kind kind = Kind::null;
    if (document.type().get(kind) != simdjson::SUCCESS) return false;
    if (kind == Kind::null) return document.is_null() && !fields.whole;
    if (kind == Kind::array && fields.whole && format == StreamFormat::embeddings)
      return read_vectors(document, fields);
    json::Object root;
    if (kind != Kind::object || document.get_object().get(root) != simdjson::SUCCESS) return false;
    if (!json::for_each_field(root,
                              [&](std::string_view key, Value& value) { read_field(format, key, value, fields); }))
      return false;
    end_object(format, fields);
    return true;
  }

  /// Of a whole body, once a request: what breaks off or goes on behind its end is no answer.
  bool is_json(std::string_view data) {
    return whole_json.parse(data.data(), data.size()).error() == simdjson::SUCCESS;
  }

  static bool read_vectors(simdjson::ondemand::document& document, EventFields& fields) {
    json::Array vectors;
    if (document.get_array().get(vectors) != simdjson::SUCCESS) return false;
    return json::for_each_element(vectors, [&](Value&) { fields.event.carries_output = true; });
  }

  StreamEvent read(StreamFormat format, std::string_view data, std::string_view type, std::string* text, bool whole) {
    StreamEvent event;
    EventFields fields{event, error_words, text, whole, type};
    if (!read_value(format, data, fields)) {
      event = StreamEvent{};
      event.malformed = true;
      return event;
    }
    if (event.is_error) event.error_message = error_words.empty() ? data : error_words;
    return event;
  }
};

StreamEventReader::StreamEventReader() : parser_(std::make_unique<Parser>()) {}
StreamEventReader::~StreamEventReader() = default;
StreamEventReader::StreamEventReader(StreamEventReader&&) noexcept = default;
StreamEventReader& StreamEventReader::operator=(StreamEventReader&&) noexcept = default;

StreamEvent StreamEventReader::read(StreamFormat format, std::string_view type, std::string_view data,
                                    std::string* text) {
  parser_->error_words.clear();
  data = without_trailing_blanks(data);
  StreamEvent event;
  event.done = data == "[DONE]";
  if (event.done || data.empty()) return event;  // an empty data line: a keep-alive
  const bool may_repeat = format == StreamFormat::openai && text == nullptr && (type.empty() || type == "message");
  if (may_repeat && parser_->shape.matches(data)) {
    parser_->misses = 0;
    return parser_->of_shape;
  }
  event = parser_->read(format, data, type, text, false);
  if (may_repeat) parser_->remember(data, event);
  return event;
}

StreamEvent StreamEventReader::read_whole(StreamFormat format, std::string_view body, std::string* text) {
  parser_->error_words.clear();
  if (!parser_->is_json(without_trailing_blanks(body))) return StreamEvent{.malformed = true};
  StreamEvent event = parser_->read(format, without_trailing_blanks(body), {}, text, true);
  event.finished = !event.malformed && !event.is_error;
  return event;
}

std::string_view StreamEventReader::words_of(std::string_view body) {
  const bool is_malformed = read(StreamFormat::openai, {}, body).malformed;
  return is_malformed ? std::string_view() : std::string_view(parser_->error_words);
}

std::string printable(std::string_view text, std::size_t limit) {
  std::string result;
  append_valid_utf8(result, text.substr(0, limit));  // a character that is cut becomes one that says so
  if (result.size() > limit || text.size() > limit) {
    std::size_t end = std::min(limit, result.size());
    while (end > 0 && end < result.size() && (static_cast<unsigned char>(result[end]) & 0xC0) == 0x80) --end;
    result.resize(end);
    if (text.size() > limit && result.ends_with("\xEF\xBF\xBD")) result.resize(result.size() - 3);
  }
  for (char& c : result) {
    if ((c >= 0 && c < ' ') || c == 0x7f) c = ' ';
  }
  return result;
}

std::string error_words(StreamEventReader& reader, std::string_view body, std::size_t limit) {
  const std::string_view words = reader.words_of(body);
  return printable(words.empty() ? body : words, limit);
}

}  // namespace loadline
