#include "trace/generic.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "core/error.h"
#include "trace/aiperf_mooncake.h"
#include "trace/first_record.h"
#include "trace/record_log.h"
#include "trace/stamp_reader.h"

namespace loadline {
namespace {

constexpr std::array generic_rules{
    FieldRule{"prompt_tokens", LogField::prompt},
    FieldRule{"input_tokens", LogField::prompt},
    FieldRule{"input_length", LogField::prompt},
    FieldRule{"completion_tokens", LogField::completion},
    FieldRule{"output_tokens", LogField::completion},
    FieldRule{"output_length", LogField::completion},
    FieldRule{"timestamp", LogField::arrival},
    FieldRule{"time", LogField::arrival},
    FieldRule{"ts", LogField::arrival},
    FieldRule{"arrival", LogField::arrival},
    FieldRule{"arrival_time", LogField::arrival},
    FieldRule{"arrived_at", LogField::arrival},
    FieldRule{"start_time", LogField::arrival},
    FieldRule{"started_at", LogField::arrival},
    FieldRule{"cached_tokens", LogField::cached},
    FieldRule{"session_id", LogField::session},
    FieldRule{"conversation_id", LogField::session},
    FieldRule{"user_id", LogField::client},
    FieldRule{"client_id", LogField::client},
    FieldRule{"status_code", LogField::status},
    FieldRule{"max_tokens", LogField::max_completion},
};

/// The names in `record` that may tell `field`.
std::vector<std::string_view> names_of(const FirstRecord& record, LogField field) {
  std::vector<std::string_view> names;
  for (const FieldRule& rule : generic_rules) {
    if (rule.field == field && record.value_of(rule.path) != nullptr) names.push_back(rule.path);
  }
  return names;
}

bool is_number_without_unit(const std::string& value) {
  return !value.empty() && value.find_first_not_of("0123456789.") == std::string::npos &&
         !StampReader::unit_of_size(value);
}

/// The name of the arrival; empty where there is none.
std::string_view arrival_name(const FirstRecord& record, const std::string& log) {
  const std::vector<std::string_view> names = names_of(record, LogField::arrival);
  if (names.empty()) return {};
  const std::string_view prompt = names_of(record, LogField::prompt).front(),
                         completion = names_of(record, LogField::completion).front();
  if (names.size() > 1) {
    throw Error(fmt::format("{}: both {} and {} may be the arrival; name it: --map prompt={},completion={},time={}",
                            log, names[0], names[1], prompt, completion, names[0]));
  }
  const std::string& value = *record.value_of(names.front());
  if (is_number_without_unit(value)) {
    throw Error(
        fmt::format("{}: {} is {}, which does not tell its unit; name it: --map prompt={},completion={},time={}:s "
                    "(or ms, us, ns)",
                    log, names.front(), value, prompt, completion, names.front()));
  }
  return names.front();
}

}  // namespace

bool is_generic(const LogHead& head) {
  if (is_aiperf_mooncake(head)) return false;  // these names too, but its timestamps are milliseconds
  const std::optional<FirstRecord> record = first_record(head);
  // Ids of blocks need a block size, which no name tells.
  return record && record->value_of("hash_ids") == nullptr && !names_of(*record, LogField::prompt).empty() &&
         !names_of(*record, LogField::completion).empty();
}

void read_generic(TextWindow& window, TraceBuilder& builder) {
  const std::optional<FirstRecord> record = first_record(LogHead(window.head(head_bytes)));
  if (!record || names_of(*record, LogField::prompt).empty() || names_of(*record, LogField::completion).empty()) {
    throw Error(
        fmt::format("{}: no record has prompt_tokens and completion_tokens, or names like them; name its fields "
                    "with --map",
                    window.name()));
  }
  const std::string_view time = arrival_name(*record, window.name());
  const std::string lengths =
      fmt::format("{} are prompts and {} completions", names_of(*record, LogField::prompt).front(),
                  names_of(*record, LogField::completion).front());
  builder.remark(time.empty()
                     ? fmt::format("Read by the names of its fields: {}; nothing tells the arrivals.", lengths)
                     : fmt::format("Read by the names of its fields: {}, and {} is the arrival.", lengths, time));
  read_record_log(window, builder, {.rules = generic_rules, .bare_zone = "local", .has_times = !time.empty()});
}

}  // namespace loadline
