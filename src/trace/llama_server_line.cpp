#include "trace/llama_server_line.h"

#include <algorithm>
#include <charconv>

#include "trace/numbers.h"

namespace loadline {
namespace {

using Kind = LlamaServerLine::Kind;

/// The whole number behind `label`, if it is there.
std::optional<std::int64_t> number_behind(std::string_view text, std::string_view label) {
  const std::size_t at = text.find(label);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view digits = trimmed(text.substr(at + label.size()));
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc{} && number >= 0 ? std::optional(number) : std::nullopt;
}

/// "M.SS.mmm.uuu".
std::optional<Nanos> read_clock(std::string_view text) {
  constexpr std::int64_t steps[] = {60'000'000, 1'000'000, 1'000, 1};  // microseconds of each part
  std::int64_t microseconds = 0;
  for (std::size_t part = 0; part < std::size(steps); ++part) {
    const std::size_t point = std::min(text.find('.'), text.size());
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + point, number);
    const bool is_last = part + 1 == std::size(steps);
    if (error != std::errc{} || end != text.data() + point || number < 0 || (point == text.size()) != is_last)
      return {};
    if (number > (part == 0 ? 1'000'000'000 : 999)) return {};
    microseconds += number * steps[part];
    text.remove_prefix(std::min(point + 1, text.size()));
  }
  return std::chrono::microseconds(microseconds);
}

/// The clock in front of "slot ..." or "srv ...": "0.12.467.074 I ".
std::optional<Nanos> clock_before(std::string_view before) {
  before = trimmed(before);
  if (before.size() < 3 || before[before.size() - 2] != ' ') return std::nullopt;  // a level of one letter
  before = trimmed(before.substr(0, before.size() - 1));
  const std::size_t blank = before.find_last_of(" \t]");
  return read_clock(blank == std::string_view::npos ? before : before.substr(blank + 1));
}

/// "  181.00 ms /  1843 tokens (...": 1843.
bool read_timing(std::string_view text, LlamaServerLine& line) {
  const bool is_prompt = text.starts_with("prompt eval time =");
  if (!is_prompt && !text.starts_with("eval time =")) return false;
  const auto tokens = number_behind(text, " ms /");
  if (!tokens) return false;
  line.kind = is_prompt ? Kind::computed_prompt : Kind::completion;
  line.tokens = *tokens;
  return true;
}

/// What follows "| task 122 |".
void read_task_text(std::string_view text, LlamaServerLine& line) {
  line.kind = Kind::detail;
  if (text.starts_with("processing task")) line.kind = Kind::launched;
  if (read_timing(text, line)) return;
  std::optional<std::int64_t> tokens;
  if (text.starts_with("new prompt,")) {
    tokens = number_behind(text, "task.n_tokens =");
    if (!tokens) tokens = number_behind(text, "n_prompt_tokens =");
    if (tokens) line.kind = Kind::prompt;
  } else if (text.starts_with("stop processing:")) {
    line.kind = Kind::released;
    line.truncated = number_behind(text, "truncated =").value_or(0) > 0;
    tokens = number_behind(text, "n_tokens =");
    if (!tokens) tokens = number_behind(text, "n_past =");
  }
  line.tokens = tokens.value_or(0);
}

LlamaServerLine read_line_of_no_slot(std::string_view text) {
  LlamaServerLine line;
  constexpr std::string_view cancel = "cancel task, id_task =";
  if (const std::size_t at = text.find(cancel); at != std::string_view::npos) {
    line.task = trimmed(text.substr(at + cancel.size()));
    line.kind = Kind::cancelled;
  } else if (text.find("listening on http") != std::string_view::npos) {
    line.kind = Kind::started;
  } else {
    const std::size_t eval = std::min(text.find("prompt eval time ="), text.find("eval time ="));
    if (eval != std::string_view::npos) read_timing(text.substr(eval), line);
  }
  return line;
}

}  // namespace

LlamaServerLine read_llama_server_line(std::string_view text) {
  constexpr std::string_view label = "| task ";
  const std::size_t slot = text.find("slot "), task = text.find(label, std::min(slot, text.size()));
  if (task == std::string_view::npos) return read_line_of_no_slot(text);
  const std::string_view behind = text.substr(task + label.size());
  const std::size_t bar = std::min(behind.find('|'), behind.size());
  LlamaServerLine line;
  line.task = trimmed(behind.substr(0, bar));
  if (line.task.starts_with('-')) return {};  // no task yet
  line.clock = clock_before(text.substr(0, slot));
  read_task_text(trimmed(behind.substr(std::min(bar + 1, behind.size()))), line);
  return line;
}

}  // namespace loadline
