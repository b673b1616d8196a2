#include "target/prometheus.h"

#include <charconv>
#include <cmath>

namespace loadline {
namespace {

/// What follows the labels, which may hold braces and escaped quotes inside their strings.
std::string_view after_labels(std::string_view rest) {
  if (rest.empty() || rest.front() != '{') return rest;
  bool quoted = false;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    if (quoted && rest[i] == '\\') {
      ++i;
    } else if (rest[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && rest[i] == '}') {
      return rest.substr(i + 1);
    }
  }
  return {};
}

std::optional<double> sample_value(std::string_view line, std::string_view name) {
  if (!line.starts_with(name)) return std::nullopt;
  line.remove_prefix(name.size());
  if (line.empty() || (line.front() != '{' && line.front() != ' ' && line.front() != '\t')) return std::nullopt;
  line = after_labels(line);
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  double value = 0;
  const auto [end, trouble] = std::from_chars(line.data(), line.data() + line.size(), value);
  if (trouble != std::errc() || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

std::optional<double> prometheus_sum(std::string_view text, std::string_view name) {
  std::optional<double> sum;
  while (!text.empty()) {
    const std::size_t line_end = text.find('\n');
    if (const auto value = sample_value(text.substr(0, line_end), name)) sum = sum.value_or(0) + *value;
    if (line_end == text.npos) break;
    text.remove_prefix(line_end + 1);
  }
  return sum;
}

}  // namespace loadline
