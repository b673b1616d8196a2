#include "trace/gateway_logs_without_lengths.h"

#include <algorithm>

#include "trace/json_keys.h"

namespace loadline {
namespace {

bool is_digit_at(std::string_view text, std::size_t at) {
  return at < text.size() && text[at] >= '0' && text[at] <= '9';
}

/// HOST IDENT USER [02/Nov/2026:09:15:03 +0000] "METHOD PATH HTTP/1.1" STATUS BYTES
bool is_access_line(std::string_view line) {
  const std::size_t date = line.find(" [");
  if (date == std::string_view::npos || !is_digit_at(line, date + 2) || date + 28 >= line.size()) return false;
  const std::string_view stamp = line.substr(date + 2);
  const bool dated = stamp[2] == '/' && stamp[6] == '/' && stamp[11] == ':' && stamp[14] == ':' && stamp[26] == ']';
  const std::size_t request = line.find("] \"", date), end = line.find("\" ", request + 3);
  return dated && request != std::string_view::npos && end != std::string_view::npos &&
         line.substr(request, end - request).find(" HTTP/") != std::string_view::npos && is_digit_at(line, end + 2);
}

bool is_bytes_line(std::string_view line) {
  constexpr std::string_view counts[] = {"token", "chars", "characters", "usage"};
  const auto mentions = [&](std::string_view word) { return line.find(word) != std::string_view::npos; };
  return line.starts_with('{') && std::ranges::none_of(counts, mentions) &&
         (has_all_json_keys(line, {"request_bytes", "response_bytes"}) ||
          has_all_json_keys(line, {"bytes_received", "bytes_sent"}) ||
          has_all_json_keys(line, {"request_length", "bytes_sent"}));
}

}  // namespace

bool is_openai_usage(const LogHead& head) {
  return head.has("\"organization.usage.") ||
         (head.has("\"bucket\"") && has_all_json_keys(head.text(), {"start_time", "end_time", "results"}));
}

bool is_access_log(const LogHead& head) { return head.any_line(is_access_line); }

bool is_bytes_log(const LogHead& head) { return head.any_line(is_bytes_line); }

}  // namespace loadline
