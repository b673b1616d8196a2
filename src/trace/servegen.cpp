#include "trace/servegen.h"

#include "trace/json_head.h"
#include "trace/numbers.h"

namespace loadline {
namespace {

bool is_rate_number(std::string_view text) { return parse_span(text, std::chrono::seconds(1)).ok(); }

/// "600,10.79,0.876,Gamma,1.303,0.0711": the law and its parameters are empty in a window without requests.
bool is_servegen_rate(std::string_view line) {
  std::string_view fields[6];
  std::size_t count = 0;
  for (;; ++count) {
    const std::size_t comma = line.find(',');
    if (count == 6) return false;
    fields[count] = trimmed(line.substr(0, comma));
    if (comma == std::string_view::npos) break;
    line.remove_prefix(comma + 1);
  }
  if (count != 5 || !is_rate_number(fields[0]) || !is_rate_number(fields[1])) return false;
  return fields[3] == "Gamma" || fields[3] == "Weibull" || fields[3] == "Exponential";
}

}  // namespace

bool is_servegen_rates(const LogHead& head) { return head.any_line(is_servegen_rate); }

bool is_servegen_lengths(const LogHead& head) {
  const std::string_view text = trimmed(head.text());
  const std::size_t table = text.find("\"input_tokens\"");
  if (!text.starts_with('{') || table == std::string_view::npos) return false;
  const std::string_view value = trimmed(text.substr(table + 14, 64));
  return value.starts_with(':') && trimmed(value.substr(1)).starts_with("\"{");
}

bool is_quantile_tables(const LogHead& head) {
  const std::string_view text = trimmed(head.text());
  return text.starts_with('{') && has_top_level_key(text, "what") && has_top_level_key(text, "traces") &&
         text.find("\"p50\"") != std::string_view::npos;
}

}  // namespace loadline
