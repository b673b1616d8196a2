#include "wire/json_lines.h"

#include <algorithm>

namespace loadline {
namespace {

std::string_view without_cr(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

}  // namespace

void JsonLines::reset() {
  carry_.clear();
  failed_ = false;
}

std::string_view JsonLines::problem() const {
  return failed_ ? std::string_view("a line of the stream is over 16 MiB") : std::string_view();
}

std::optional<std::string_view> JsonLines::next(std::string_view& bytes) {
  while (!bytes.empty() && !failed_) {
    const std::size_t end = bytes.find('\n');
    const std::size_t taken = std::min(end, bytes.size());
    failed_ = carry_.size() + taken > line_limit;
    if (failed_) break;
    std::string_view line = bytes.substr(0, taken);
    bytes.remove_prefix(end == std::string_view::npos ? taken : taken + 1);
    if (end == std::string_view::npos) {
      carry_.append(line);
      return std::nullopt;
    }
    if (!carry_.empty()) {
      carry_.append(line);
      line_.swap(carry_);
      carry_.clear();
      line = line_;
    }
    if (!is_blank(line)) return without_cr(line);
  }
  bytes = {};
  return std::nullopt;
}

std::optional<std::string_view> JsonLines::finish() {
  if (failed_) return std::nullopt;
  line_.swap(carry_);
  carry_.clear();
  return is_blank(line_) ? std::nullopt : std::optional(without_cr(line_));
}

}  // namespace loadline
