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
#include "trace/opaque_name.h"
#include "trace/utc_time.h"

namespace loadline {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::size_t foreign_kept = 10;
constexpr std::array<std::string_view, 8> number_keys = {"timestamp", "input_length", "output_length", "cached",
                                                         "turn",      "delay",        "max",           "status"};
constexpr std::array<std::string_view, 4> header_numbers = {"loadline_trace", "rows", "block_size",
                                                            "time_resolution_ms"};
constexpr std::array<std::string_view, 5> header_words = {"tail", "ids", "sharing", "tokens", "time_zone"};
constexpr std::array<std::string_view, 10> words = {"dropped", "partial",       "chained", "hashed",    "sessions",
                                                    "unknown", "cached-counts", "counted", "estimated", "local"};
enum class AllowedContent : std::uint8_t { none, number, runs, name, names, word, time };

template <std::size_t N>
bool among(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// What may stand under `key`, null aside; none: nothing may.
AllowedContent allowed_under(std::string_view key, bool in_header) {
  if (in_header) {
    if (among(header_numbers, key)) return AllowedContent::number;
    if (among(header_words, key)) return AllowedContent::word;
    if (key == "source") return AllowedContent::names;
    if (key == "tokenizer") return AllowedContent::name;
    return key == "started" ? AllowedContent::time : AllowedContent::none;
  }
  if (among(number_keys, key)) return AllowedContent::number;
  if (key == "hash_runs") return AllowedContent::runs;
  return key == "session" || key == "client" ? AllowedContent::name : AllowedContent::none;
}

/// Text for a value that may be there, but is not what it must be.
constexpr std::string_view trouble_with(AllowedContent content) {
  switch (content) {
    case AllowedContent::number:
      return "is no number";
    case AllowedContent::runs:
      return "are no pairs of numbers";
    case AllowedContent::word:
      return "is no word of the format";
    case AllowedContent::time:
      return "is no time";
    default:
      return "is longer than a name or holds blanks and other marks of text";
  }
}

std::size_t digits_at(std::string_view text, std::size_t at) {
  const std::size_t end = text.find_first_not_of("0123456789", at);
  return (end == std::string_view::npos ? text.size() : end) - at;
}

/// By JSON's grammar, to the last character: a parser that is asked for no value judges only the first.
bool is_json_number(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const std::size_t whole = digits_at(text, at);
  if (whole == 0) return false;
  at += whole;
  if (at < text.size() && text[at] == '.') {
    const std::size_t fraction = digits_at(text, ++at);
    if (fraction == 0) return false;
    at += fraction;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    const std::size_t power = digits_at(text, at);
    if (power == 0) return false;
    at += power;
  }
  return at == text.size();
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

  /// The key comes first: where it has no place, not even null may follow it.
  void judge(std::string_view key, ondemand::value value) {
    const AllowedContent content = allowed_under(key, check_.lines == 1);
    if (content == AllowedContent::none) {
      return report(is_opaque_name(key) ? key : "a key", "has no place in a canonical trace");
    }
    const std::string_view token = trimmed(value.raw_json_token());
    if (token != "null" && !holds(content, token, value)) report(key, trouble_with(content));
  }

  static bool holds(AllowedContent content, std::string_view token, ondemand::value value) {
    if (content == AllowedContent::number) return is_json_number(token);
    if (content == AllowedContent::runs) return are_runs(value);
    if (content == AllowedContent::name && is_json_number(token)) return true;
    const std::string_view text = value.get_string();
    if (content == AllowedContent::name) return is_opaque_name(text);
    if (content == AllowedContent::names) return is_list_of_opaque_names(text);
    if (content == AllowedContent::word) return among(words, text);
    return UtcTimeReader().read(text).has_value();
  }

  static bool are_runs(ondemand::value value) {
    bool numbers = true;
    for (auto run : value.get_array()) {
      for (auto part : run.get_array()) numbers = is_json_number(trimmed(part.raw_json_token())) && numbers;
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
