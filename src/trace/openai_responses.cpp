#include "trace/openai_responses.h"

#include "trace/json_keys.h"
#include "trace/record_log.h"

namespace loadline {
namespace {

constexpr FieldRule openai_rules[] = {
    {"usage.prompt_tokens", LogField::prompt},
    {"usage.input_tokens", LogField::prompt},
    {"response.body.usage.prompt_tokens", LogField::prompt},
    {"response.body.usage.input_tokens", LogField::prompt},
    {"usage.completion_tokens", LogField::completion},
    {"usage.output_tokens", LogField::completion},
    {"response.body.usage.completion_tokens", LogField::completion},
    {"response.body.usage.output_tokens", LogField::completion},
    {"usage.prompt_tokens_details.cached_tokens", LogField::cached},
    {"usage.input_tokens_details.cached_tokens", LogField::cached},
    {"response.body.usage.prompt_tokens_details.cached_tokens", LogField::cached},
    {"response.body.usage.input_tokens_details.cached_tokens", LogField::cached},
    {"max_output_tokens", LogField::max_completion},
    {"conversation.id", LogField::session},
    {"object", LogField::kind},
    {"status", LogField::outcome},
    {"response.status_code", LogField::status},
    {"error", LogField::error},
};

/// Of a streamed response only the last piece counts tokens; the others tell of the same request.
bool is_openai_request(std::string_view object, bool has_lengths) {
  return has_lengths || object == "chat.completion" || object == "text_completion" || object == "response";
}

bool is_response_line(std::string_view line) {
  constexpr std::string_view objects[] = {"\"chat.completion", "\"text_completion\"", "\"response\""};
  if (!line.starts_with('{') || !has_all_json_keys(line, {"object", "usage"}) || has_json_key(line, "timings"))
    return false;
  for (const std::string_view object : objects) {
    if (line.find(object) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

bool is_openai_responses(const LogHead& head) { return head.any_line(is_response_line); }

void read_openai_responses(TextWindow& window, TraceBuilder& builder) {
  builder.remark(
      "Responses say when they were created, which is their end, in whole seconds and without a duration: arrivals are "
      "unknown.");
  read_record_log(window, builder, {.rules = openai_rules, .has_times = false, .is_request = is_openai_request});
}

}  // namespace loadline
