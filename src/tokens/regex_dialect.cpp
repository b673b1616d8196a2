#include "tokens/regex_dialect.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/core.h>
#include <pcre2.h>

#include <algorithm>

#include "tokens/unsupported.h"

namespace loadline {
namespace {

// The insides of classes. White space is the Unicode property, which PCRE2's \s exceeds by U+180E; words hold marks,
// which older PCRE2 leaves out.
constexpr std::string_view spaces =
    R"(\x{9}-\x{d}\x{20}\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000})";
constexpr std::string_view words = R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{b2}\x{b3}\x{b9}\x{bc}-\x{be})";
constexpr std::string_view hex_digits = "0-9a-fA-F";

/// Escapes that mean the same in both.
constexpr std::string_view same_escapes = "dDrntfaexAzZ";

bool compiles(const std::string& pattern) {
  int error = 0;
  PCRE2_SIZE where = 0;
  pcre2_code* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(), PCRE2_UTF | PCRE2_UCP,
                                   &error, &where, nullptr);
  pcre2_code_free(code);
  return code != nullptr;
}

bool is_letter_or_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

class Translation {
 public:
  explicit Translation(std::string_view pattern) : left_(pattern), pattern_(pattern) {}

  std::string run() {
    while (!left_.empty()) {
      if (left_.front() == '\\')
        escape(false);
      else if (left_.front() == '[')
        character_class();
      else if (left_.starts_with("(?"))
        group();
      else if (left_.front() == '{')
        interval();
      else
        take(1);
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(std::string_view what) const {
    throw Unsupported(fmt::format("its pattern {} uses {}", pattern_, what));
  }
  void take(std::size_t size) {
    out_ += left_.substr(0, size);
    left_.remove_prefix(size);
  }
  void put(std::string_view text, std::size_t instead_of) {
    out_ += text;
    left_.remove_prefix(instead_of);
  }
  void put_class(std::string_view inside, bool is_negated, bool in_class) {
    if (in_class && is_negated) refuse("the opposite of a class within a class");
    put(in_class ? std::string(inside) : fmt::format("[{}{}]", is_negated ? "^" : "", inside), 2);
  }

  void escape(bool in_class) {
    if (left_.size() < 2) refuse("a backslash at its end");
    const char c = left_[1];
    switch (c) {
      case 's':
        return put_class(spaces, false, in_class);
      case 'S':
        return in_class ? take(2) : put_class(spaces, true, in_class);
      case 'w':
        return put_class(words, false, in_class);
      case 'W':
        return put_class(words, true, in_class);
      case 'h':
        return put_class(hex_digits, false, in_class);
      case 'H':
        return put_class(hex_digits, true, in_class);
      case 'v':
        return put(R"(\x{b})", 2);
      case 'u':
        return code_point();
      case 'p':
      case 'P':
        return property();
      default:
        break;
    }
    if (is_letter_or_digit(c) && same_escapes.find(c) == std::string_view::npos) refuse(left_.substr(0, 2));
    take(2);
  }

  void code_point() {
    if (left_.size() < 6) refuse("a short \\u");
    put(fmt::format("\\x{{{}}}", left_.substr(2, 4)), 6);
  }

  void property() {
    const std::size_t end = left_.find('}');
    if (left_.size() < 4 || left_[2] != '{' || end == std::string_view::npos) refuse("a property without braces");
    const std::string name(left_.substr(3, end - 3));
    const std::string script = fmt::format("\\{}{{sc:{}}}", left_[1], name);
    if (name.size() > 2 && compiles(script)) return put(script, end + 1);
    take(end + 1);
  }

  void character_class() {
    take(left_.starts_with("[^") ? 2 : 1);
    if (left_.starts_with(']')) put("\\]", 1);
    while (!left_.starts_with(']')) {
      if (left_.empty()) refuse("a class without an end");
      if (left_.starts_with('[')) refuse("a class within a class");
      if (left_.starts_with("&&")) refuse("an intersection of classes");
      if (left_.starts_with('\\'))
        escape(true);
      else
        take(1);
    }
    take(1);
  }

  void group() {
    constexpr std::string_view same[] = {"(?:", "(?=", "(?!", "(?>", "(?<=", "(?<!", "(?i:", "(?-i:"};
    const auto known = std::ranges::find_if(same, [this](std::string_view g) { return left_.starts_with(g); });
    if (known != std::end(same)) return take(known->size());
    if (left_.starts_with("(?i)") && out_.empty()) return take(4);
    refuse(fmt::format("a group of the kind {}", left_.substr(0, 4)));
  }

  /// `X{1,n}+` is (X{1,n})+, that is X+; likewise X* of 0.
  void interval() {
    const std::size_t end = left_.find('}');
    const bool repeats = end != std::string_view::npos && left_.substr(end + 1).starts_with('+');
    if (!repeats) return take(1);
    const std::string_view least = left_.substr(1, std::min(end, left_.find(',')) - 1);
    const bool is_range = left_.substr(0, end).find(',') != std::string_view::npos;
    if (!is_range || (least != "1" && least != "0" && !least.empty())) {
      refuse(fmt::format("the repeated repetition {}", left_.substr(0, end + 2)));
    }
    put(least == "1" ? "+" : "*", end + 2);
  }

  std::string_view left_, pattern_;
  std::string out_;
};

}  // namespace

std::string pcre2_pattern(std::string_view pattern) { return Translation(pattern).run(); }

}  // namespace loadline
