#pragma once
// Is a text well-formed enough to be XML: every tag closed in order, every attribute quoted? For tests.

#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// Empty when the tags of `xml` balance, else the first fault.
inline std::string markup_fault(std::string_view xml) {
  std::vector<std::string> open;
  for (std::size_t at = xml.find('<'); at != std::string_view::npos; at = xml.find('<', at + 1)) {
    if (xml.substr(at, 2) == "<?") continue;
    std::size_t end = at + 1;
    bool quoted = false;
    for (; end < xml.size() && (quoted || xml[end] != '>'); ++end) {
      if (xml[end] == '"') quoted = !quoted;
      if (xml[end] == '<') return "< inside a tag at " + std::to_string(end);
    }
    if (end == xml.size()) return "a tag without end at " + std::to_string(at);
    const std::string_view tag = xml.substr(at + 1, end - at - 1);
    const bool closes = tag.starts_with('/');
    const std::string name(tag.substr(closes ? 1 : 0, tag.find_first_of(" /", closes ? 1 : 0) - (closes ? 1 : 0)));
    if (closes) {
      if (open.empty() || open.back() != name) return "</" + name + "> closes nothing";
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.push_back(name);
    }
  }
  return open.empty() ? "" : "<" + open.back() + "> is never closed";
}

inline std::size_t times_in(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

}  // namespace loadline
