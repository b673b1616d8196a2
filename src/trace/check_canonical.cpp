#include "trace/check_canonical.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/error.h"
#include "trace/canonical.h"
#include "trace/line_reader.h"
#include "trace/numbers.h"

namespace loadline {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::size_t foreign_kept = 10, longest_name = 128;
constexpr std::array<std::string_view, 7> number_keys = {"timestamp", "input_length", "output_length", "cached", "turn",
                                                         "delay",     "max"};
constexpr std::array<std::string_view, 4> header_numbers = {"loadline_trace", "rows", "block_size",
                                                            "time_resolution_ms"};
constexpr std::array<std::string_view, 4> header_words = {"tail", "ids", "sharing", "tokens"};
constexpr std::array<std::string_view, 9> words = {"dropped", "partial",       "chained", "hashed",   "sessions",
                                                   "unknown", "cached-counts", "counted", "estimated"};

template <std::size_t N>
bool among(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool is_opaque_name(std::string_view text, std::string_view also = "") {
  constexpr std::string_view marks = "._-:/@+=#";
  return text.size() <= longest_name && std::ranges::all_of(text, [&](char c) {
           const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
           return letter || marks.find(c) != std::string_view::npos || also.find(c) != std::string_view::npos;
         });
}

class CanonicalChecker {
 public:
  explicit CanonicalChecker(CanonicalCheck& check) : check_(check) {}

  void look_at(const Line& line) {
    ++check_.lines;
    line_ = line.number;
    try {
      auto document = parser_.iterate(simdjson::padded_string_view(line.text.data(), line.text.size(), line.readable));
      for (auto field : document.get_object()) {
        const std::string key(std::string_view(field.unescaped_key()));
        ondemand::value value = field.value();
        judge(key, value);
      }
      if (document.current_location().error() != simdjson::OUT_OF_BOUNDS) report("", "text behind the object");
    } catch (const simdjson::simdjson_error&) {
      report("", "the line is no JSON object");
    }
  }

 private:
  void report(std::string_view key, std::string_view why) {
    if (++check_.foreign_count <= foreign_kept) check_.foreign.push_back({line_, std::string(key), std::string(why)});
  }

  void judge(std::string_view key, ondemand::value value) {
    const std::string_view token = trimmed(std::string_view(value.raw_json_token()));
    if (token == "null") return;
    const bool header = check_.lines == 1;
    if (header ? among(header_numbers, key) : among(number_keys, key) || key == "status") {
      if (!is_number(value)) report(key, "is no number");
    } else if (!header && key == "hash_runs") {
      if (!are_runs(value)) report(key, "are no pairs of numbers");
    } else if (header ? key == "source" || key == "tokenizer" : key == "session" || key == "client") {
      if (!is_number(value)) judge_name(key, value, key == "source" ? ", " : "");
    } else if (header && among(header_words, key)) {
      if (!among(words, std::string_view(value.get_string()))) report(key, "is no word of the format");
    } else if (header && key == "started") {
      if (!is_opaque_name(std::string_view(value.get_string()))) report(key, "is no time");
    } else {
      report(is_opaque_name(key) ? key : "a key", "has no place in a canonical trace");
    }
  }

  void judge_name(std::string_view key, ondemand::value value, std::string_view also) {
    if (!is_opaque_name(std::string_view(value.get_string()), also))
      report(key, "is longer than a name or holds blanks and other marks of text");
  }

  static bool is_number(ondemand::value& value) { return value.type() == ondemand::json_type::number; }

  static bool are_runs(ondemand::value value) {
    bool numbers = true;
    for (auto run : value.get_array()) {
      for (auto part : run.get_array()) numbers = numbers && part.type() == ondemand::json_type::number;
    }
    return numbers;
  }

  CanonicalCheck& check_;
  ondemand::parser parser_;
  std::uint64_t line_ = 0;
};

}  // namespace

CanonicalCheck check_canonical(ByteSource& source) {
  TextWindow window(source);
  if (!is_canonical(LogHead(window.head(std::size_t{1} << 16)))) {
    throw Error(
        fmt::format("{} is no canonical trace, so nothing can be proved of it; make one with `loadline trace convert`",
                    source.name()));
  }
  LineReader lines(window);
  CanonicalCheck result;
  CanonicalChecker checker(result);
  for (Line line; lines.next(line);) {
    if (!trimmed(line.text).empty()) checker.look_at(line);
  }
  return result;
}

}  // namespace loadline
