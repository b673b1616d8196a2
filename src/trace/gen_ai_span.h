#pragma once
// What OpenTelemetry's GenAI attributes tell of one model request, however a span was exported. Knows no layout of
// exports. Names: OpenTelemetry's semantic conventions for generative AI, today's and the deprecated ones, and those of
// vLLM and SGLang.

#include <cstdint>
#include <optional>
#include <string_view>

#include "trace/numbers.h"
#include "trace/span_messages.h"
#include "trace/trace_builder.h"

namespace loadline {

enum class GenAiKey : std::uint8_t {
  other,  ///< of no use here
  operation,
  request_id,
  prompt,
  completion,
  cached,
  max_completion,
  session,
  client,
  http_status,
  error,
  input_messages,
  output_messages,
  output_text,
};
GenAiKey gen_ai_key(std::string_view name);
/// Whether a value of that key is a number (set_number) and no text (set_text).
bool is_number(GenAiKey key);

/// One span. Its views must be valid until it is added.
struct GenAiSpan {
  std::string_view name, operation;
  std::optional<Nanos> start, end;  ///< after 1970-01-01T00:00:00Z
  std::optional<Parsed<Tokens>> prompt, completion, cached, max_completion, http_status;
  std::string_view session, client;
  std::string_view input_messages, output_messages;  ///< JSON arrays of messages
  std::string_view output_text;
  bool has_request_id = false;
  bool failed = false;  ///< its status says so

  /// `token`: the number as it is written.
  void set_number(GenAiKey key, std::string_view token);
  void set_text(GenAiKey key, std::string_view text);
};

/// Spans -> rows of a trace.
class GenAiSpans {
 public:
  /// The spans of `builder`'s log are in UTC.
  explicit GenAiSpans(TraceBuilder& builder);

  /// A row, a refusal, or filtered where the span is about no request of a model: a parent that holds the sum of its
  /// children, a tool, an embedding.
  void add(const GenAiSpan& span, std::uint64_t line);

 private:
  bool is_request(const GenAiSpan& span);
  std::string_view reason_against(const GenAiSpan& span) const;
  void read_texts(const GenAiSpan& span, ReadRow& row);

  TraceBuilder& builder_;
  SpanMessages messages_;
  bool of_clients_ = false, of_engines_ = false;  ///< what kinds of requests were seen
};

}  // namespace loadline
