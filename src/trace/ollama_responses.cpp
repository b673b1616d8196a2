#include "trace/ollama_responses.h"

#include "trace/json_keys.h"
#include "trace/record_log.h"

namespace loadline {
namespace {

constexpr FieldRule ollama_rules[] = {
    {"created_at", LogField::end},
    {"total_duration", LogField::duration, Nanos(1)},
    {"prompt_eval_count", LogField::prompt},
    {"eval_count", LogField::completion},
    {"done", LogField::kind},
    {"error", LogField::error},
};

/// Pieces of a stream are not done.
bool is_final_response(std::string_view done, bool) { return done == "true"; }

}  // namespace

bool is_ollama_responses(const LogHead& head) {
  return head.any_line([](std::string_view line) {
    return line.starts_with('{') && has_all_json_keys(line, {"created_at", "total_duration", "eval_count"});
  });
}

void read_ollama_responses(TextWindow& window, TraceBuilder& builder) {
  read_record_log(window, builder, {.rules = ollama_rules, .is_request = is_final_response});
}

}  // namespace loadline
