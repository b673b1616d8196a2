#include "trace/prompt_lists.h"

#include "trace/chat_messages.h"
#include "trace/csv_rows.h"
#include "trace/json_head.h"
#include "trace/json_lines.h"
#include "trace/numbers.h"

namespace loadline {
namespace {

using simdjson::simdjson_result;
namespace ondemand = simdjson::ondemand;

ReadRow prompt_alone() {
  ReadRow row;
  row.completion_unknown = true;
  return row;
}

void say_what_prompts_lack(TraceBuilder& builder) {
  builder.remark("the data set has prompts alone: arrivals are for the run to say, completion lengths are the model's");
}

simdjson_result<std::string_view> read_question(ondemand::object& object, TraceBuilder& builder) {
  bool found = false;
  for (auto field : object) {
    ondemand::raw_json_string key;
    if (const auto code = field.key().get(key)) return code;
    if (key != "question") continue;
    std::string_view question;
    if (const auto code = field.value().get_string().get(question)) return code;
    builder.begin_row();
    if (!question.empty()) builder.add_text(question);
    found = true;
  }
  return std::string_view(found ? "" : refusal::malformed);
}

simdjson_result<std::string_view> read_message_list(ondemand::array& messages, TraceBuilder& builder) {
  if (const auto code = read_chat_prompt(messages, builder).error()) return code;
  return std::string_view();
}

std::string_view read_prompt_field(std::string_view prompt, TraceBuilder& builder) {
  if (!simdjson::validate_utf8(prompt.data(), prompt.size())) return refusal::not_utf8;
  if (!prompt.empty()) builder.add_text(prompt);
  return {};
}

}  // namespace

bool is_openqa(const LogHead& head) {
  return head.any_line([](std::string_view line) {
    if (!line.starts_with('{') || !has_top_level_key(line, "question")) return false;
    for (const char* const other : {"timestamp", "messages", "prompt_tokens", "input_length"}) {
      if (has_top_level_key(line, other)) return false;
    }
    return true;
  });
}

void read_openqa(TextWindow& window, TraceBuilder& builder) {
  say_what_prompts_lack(builder);
  LineReader lines(window);
  read_json_lines(
      lines, builder, [&](ondemand::object& object) { return read_question(object, builder); },
      [&](std::uint64_t line) { builder.add(prompt_alone(), line); });
}

bool is_message_lists(const LogHead& head) {
  return head.any_line([](std::string_view line) {
    if (!line.starts_with('[')) return false;
    const std::string_view first = trimmed(line.substr(1));
    return first.starts_with('{') && has_top_level_key(first, "role") && has_top_level_key(first, "content");
  });
}

void read_message_lists(TextWindow& window, TraceBuilder& builder) {
  say_what_prompts_lack(builder);
  LineReader lines(window);
  read_json_arrays(
      lines, builder, [&](ondemand::array& messages) { return read_message_list(messages, builder); },
      [&](std::uint64_t line) { builder.add(prompt_alone(), line); });
}

bool is_prompt_table(const LogHead& head) {
  if (!has_columns(head, {"prompt"})) return false;
  const std::string_view header = head.first_line();
  for (const char* const measured : {"token", "time", "length"}) {
    if (header.find(measured) != std::string_view::npos) return false;
  }
  return true;
}

void read_prompt_table(TextWindow& window, TraceBuilder& builder) {
  CsvReader csv(window);
  const CsvColumns columns = read_csv_header(csv, builder, window.name(), {"prompt"});
  say_what_prompts_lack(builder);
  read_csv_rows(
      csv, columns, builder, [&](const auto& fields) { return read_prompt_field(fields[columns.at[0]], builder); },
      [&](std::uint64_t line) { builder.add(prompt_alone(), line); });
}

bool is_prompt_text(const LogHead&) { return false; }

void read_prompt_text(TextWindow& window, TraceBuilder& builder) {
  say_what_prompts_lack(builder);
  LineReader lines(window);
  for (Line line; lines.next(line);) {
    if (trimmed(line.text).empty()) {
      builder.filter(filter::blank);
      continue;
    }
    builder.begin_row();
    if (const std::string_view reason = read_prompt_field(line.text, builder); !reason.empty()) {
      builder.refuse(reason, line.number);
    } else {
      builder.add(prompt_alone(), line.number);
    }
  }
}

}  // namespace loadline
