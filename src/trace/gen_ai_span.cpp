#include "trace/gen_ai_span.h"

#include <algorithm>
#include <array>

#include "trace/characters.h"
#include "trace/refusal.h"

namespace loadline {
namespace {

struct GenAiName {
  std::string_view name;
  GenAiKey key;
};

constexpr std::array gen_ai_names{
    // in order of length
    GenAiName{"user.id", GenAiKey::client},
    GenAiName{"session.id", GenAiKey::session},
    GenAiName{"enduser.id", GenAiKey::client},
    GenAiName{"error.type", GenAiKey::error},
    GenAiName{"gen_ai.request.id", GenAiKey::request_id},
    GenAiName{"gen_ai.response.id", GenAiKey::request_id},
    GenAiName{"gen_ai.output.text", GenAiKey::output_text},
    GenAiName{"exgentic.session.id", GenAiKey::session},
    GenAiName{"gen_ai.operation.name", GenAiKey::operation},
    GenAiName{"gen_ai.input.messages", GenAiKey::input_messages},
    GenAiName{"gen_ai.conversation.id", GenAiKey::session},
    GenAiName{"gen_ai.output.messages", GenAiKey::output_messages},
    GenAiName{"gen_ai.usage.input_tokens", GenAiKey::prompt},
    GenAiName{"gen_ai.request.max_tokens", GenAiKey::max_completion},
    GenAiName{"http.response.status_code", GenAiKey::http_status},
    GenAiName{"gen_ai.usage.prompt_tokens", GenAiKey::prompt},
    GenAiName{"gen_ai.usage.output_tokens", GenAiKey::completion},
    GenAiName{"gen_ai.usage.cached_tokens", GenAiKey::cached},
    GenAiName{"gen_ai.usage.completion_tokens", GenAiKey::completion},
    GenAiName{"gen_ai.usage.cache_read.input_tokens", GenAiKey::cached},
    GenAiName{"gen_ai.usage.cache_read_input_tokens", GenAiKey::cached},
};
static_assert(std::ranges::is_sorted(gen_ai_names, {}, [](const GenAiName& known) { return known.name.size(); }));

constexpr std::size_t longest_name = 40;

/// By length: where names of that length begin in gen_ai_names, which are sorted by it. A log has a dozen attributes a
/// span, most of them of no use here, and few of them as long as one that is.
constexpr std::array<std::size_t, longest_name + 2> names_by_length = [] {
  std::array<std::size_t, longest_name + 2> begins{};
  for (std::size_t length = 0; length < begins.size(); ++length) {
    for (const GenAiName& known : gen_ai_names) begins[length] += known.name.size() < length ? 1 : 0;
  }
  return begins;
}();

constexpr std::string_view read_twice_remark =
    "spans of clients (with an operation name) and of an engine (without) are both in this log: a request that both "
    "report is counted twice; keep the spans of one of them";
constexpr std::string_view no_identity_remark =
    "spans with token counts but without gen_ai.operation.name or a request id were left out: they may be sums over "
    "other spans";

template <class Optional>
bool wrong(const Optional& number, NumberState state) {
  return number && number->state == state;
}

}  // namespace

GenAiKey gen_ai_key(std::string_view name) {
  if (name.size() > longest_name) return GenAiKey::other;
  for (std::size_t i = names_by_length[name.size()]; i < names_by_length[name.size() + 1]; ++i) {
    if (gen_ai_names[i].name == name) return gen_ai_names[i].key;
  }
  return GenAiKey::other;
}

bool is_number(GenAiKey key) {
  return key == GenAiKey::prompt || key == GenAiKey::completion || key == GenAiKey::cached ||
         key == GenAiKey::max_completion || key == GenAiKey::http_status;
}

void GenAiSpan::set_number(GenAiKey key, std::string_view token) {
  if (token.empty()) return;  // null: not told
  const Parsed<Tokens> number = parse_length(token);
  if (key == GenAiKey::prompt) prompt = number;
  if (key == GenAiKey::completion) completion = number;
  if (key == GenAiKey::cached) cached = number;
  if (key == GenAiKey::max_completion) max_completion = number;
  if (key == GenAiKey::http_status) http_status = number;
}

void GenAiSpan::set_text(GenAiKey key, std::string_view text) {
  if (key == GenAiKey::operation) operation = text;
  if (key == GenAiKey::request_id) has_request_id = true;
  if (key == GenAiKey::session) session = text;
  if (key == GenAiKey::client) client = text;
  if (key == GenAiKey::error) failed = true;
  if (key == GenAiKey::input_messages) input_messages = text;
  if (key == GenAiKey::output_messages) output_messages = text;
  if (key == GenAiKey::output_text) output_text = text;
}

GenAiSpans::GenAiSpans(TraceBuilder& builder) : builder_(builder) {
  builder.trace().has_times = true;
  builder.trace().time_zone = "UTC";
}

bool GenAiSpans::is_request(const GenAiSpan& span) {
  if (!span.operation.empty()) {
    const bool asks_model =
        span.operation == "chat" || span.operation == "text_completion" || span.operation == "generate_content";
    of_clients_ = of_clients_ || asks_model;
    return asks_model;
  }
  const bool has_usage = span.prompt || span.completion;
  const bool named = span.name == "llm_request" || (span.has_request_id && (has_usage || span.failed));
  if (has_usage && !named) builder_.remark(no_identity_remark);
  of_engines_ = of_engines_ || named;
  return named;
}

std::string_view GenAiSpans::reason_against(const GenAiSpan& span) const {
  if (span.failed || (span.http_status && span.http_status->value.value() >= 400)) return refusal::failed;
  for (const NumberState state : {NumberState::malformed, NumberState::out_of_range}) {
    const bool found = wrong(span.prompt, state) || wrong(span.completion, state) || wrong(span.cached, state);
    if (found) return state == NumberState::malformed ? refusal::malformed : refusal::out_of_range;
  }
  if (span.prompt && span.cached && span.cached->value > span.prompt->value) return refusal::out_of_range;
  return {};
}

void GenAiSpans::read_texts(const GenAiSpan& span, ReadRow& row) {
  if (!span.input_messages.empty() && !messages_.add(span.input_messages, builder_)) {
    builder_.begin_row();
    builder_.add_text(span.input_messages);
  }
  if (row.completion) return;
  if (!span.output_messages.empty()) row.completion_characters = messages_.characters(span.output_messages);
  if (!span.output_text.empty()) row.completion_characters = count_characters(span.output_text);
}

void GenAiSpans::add(const GenAiSpan& span, std::uint64_t line) {
  if (!is_request(span)) return builder_.filter(filter::not_a_request);
  if (of_clients_ && of_engines_) builder_.remark(read_twice_remark);
  const std::string_view reason = reason_against(span);
  if (!reason.empty()) return builder_.refuse(reason, line);
  builder_.begin_row();
  ReadRow row;
  row.time = span.start;
  if (span.start && span.end && *span.end >= *span.start) row.duration = *span.end - *span.start;
  if (span.prompt) row.prompt = span.prompt->value;
  if (span.completion) row.completion = span.completion->value;
  if (span.cached) row.cached = span.cached->value;
  if (!span.session.empty()) row.session = builder_.session(span.session);
  if (!span.client.empty()) row.detail.client = builder_.client(span.client);
  if (span.max_completion && span.max_completion->ok()) row.detail.max_completion = span.max_completion->value;
  if (span.http_status && span.http_status->ok())
    row.detail.status = static_cast<std::uint16_t>(span.http_status->value.value());
  read_texts(span, row);
  builder_.add(row, line);
}

}  // namespace loadline
