#include "trace/mapped.h"

#include <vector>

#include "trace/record_log.h"

namespace loadline {
namespace {

std::vector<FieldRule> rules_of(const FieldMap& map) {
  const Nanos time_unit = map.time_unit.value_or(std::chrono::seconds(1));
  std::vector<FieldRule> rules;
  const auto add = [&](const std::string& path, LogField field, std::optional<Nanos> unit = {}) {
    if (!path.empty()) rules.push_back({path, field, unit});
  };
  add(map.prompt, LogField::prompt);
  add(map.prompt_characters, LogField::prompt_characters);
  add(map.text, LogField::prompt_text);
  add(map.completion, LogField::completion);
  add(map.completion_characters, LogField::completion_characters);
  add(map.time, LogField::arrival, time_unit);
  add(map.end, LogField::end, time_unit);
  add(map.duration, LogField::duration, map.duration_unit);
  add(map.cached, LogField::cached);
  add(map.session, LogField::session);
  add(map.client, LogField::client);
  add(map.status, LogField::status);
  return rules;
}

}  // namespace

void read_mapped(TextWindow& window, TraceBuilder& builder, const FieldMap& map) {
  const std::vector<FieldRule> rules = rules_of(map);
  RecordFormat format{.rules = rules, .bare_zone = "local", .every_field_needed = true};
  format.has_times = !map.time.empty() || (!map.end.empty() && !map.duration.empty());
  format.completion_may_lack = map.completion.empty() && map.completion_characters.empty();
  if (!map.end.empty() && map.duration.empty())
    builder.remark("Only the ends of requests are known, and no duration: arrivals are unknown.");
  if (format.completion_may_lack) builder.remark("No field tells the completions: their lengths are the model's own.");
  read_record_log(window, builder, format);
}

}  // namespace loadline
