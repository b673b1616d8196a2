#include "tokens/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/core.h>
#include <pcre2.h>

#include <limits>

#include "core/error.h"
#include "tokens/regex_dialect.h"
#include "tokens/unsupported.h"

namespace loadline {
namespace {

constexpr std::size_t first_jit_stack = 32 * 1024, largest_jit_stack = 8 * 1024 * 1024;

std::string error_words(int code) {
  PCRE2_UCHAR words[256] = {};
  pcre2_get_error_message(code, words, sizeof words);
  return reinterpret_cast<const char*>(words);
}

}  // namespace

struct Regex::Compiled {
  pcre2_code* code = nullptr;
  pcre2_match_data* match = nullptr;
  pcre2_match_context* context = nullptr;
  pcre2_jit_stack* stack = nullptr;
};

void Regex::Free::operator()(Compiled* compiled) const {
  pcre2_jit_stack_free(compiled->stack);
  pcre2_match_context_free(compiled->context);
  pcre2_match_data_free(compiled->match);
  pcre2_code_free(compiled->code);
  delete compiled;
}

Regex::Regex(const std::string& pattern) {
  // The dialect's ^ and $ are those of lines.
  compile(pcre2_pattern(pattern), PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE);
}

Regex Regex::literal(const std::string& text) {
  Regex regex;
  if (!text.empty()) regex.compile(text, PCRE2_UTF | PCRE2_LITERAL);
  return regex;
}

void Regex::compile(const std::string& pattern, std::uint32_t options) {
  compiled_.reset(new Compiled);
  int error = 0;
  PCRE2_SIZE where = 0;
  compiled_->code =
      pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(), options, &error, &where, nullptr);
  if (compiled_->code == nullptr) {
    throw Unsupported(fmt::format("its pattern {} is not readable at byte {}: {}", pattern, where, error_words(error)));
  }
  pcre2_jit_compile(compiled_->code, PCRE2_JIT_COMPLETE);  // without it matching is slower, nothing else
  compiled_->match = pcre2_match_data_create(1, nullptr);
  compiled_->context = pcre2_match_context_create(nullptr);
  compiled_->stack = pcre2_jit_stack_create(first_jit_stack, largest_jit_stack, nullptr);
  if (compiled_->stack != nullptr) pcre2_jit_stack_assign(compiled_->context, nullptr, compiled_->stack);
  pcre2_set_match_limit(compiled_->context, std::numeric_limits<std::uint32_t>::max());
  pcre2_set_depth_limit(compiled_->context, std::numeric_limits<std::uint32_t>::max());
}

std::optional<TextRange> Regex::find(std::string_view text, std::size_t from) const {
  if (!compiled_) return std::nullopt;
  const auto match = [&](std::uint32_t options) {
    return pcre2_match(compiled_->code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), from,
                       PCRE2_NO_UTF_CHECK | options, compiled_->match, compiled_->context);
  };
  int result = match(0);
  if (result == PCRE2_ERROR_JIT_STACKLIMIT) result = match(PCRE2_NO_JIT);
  if (result == PCRE2_ERROR_NOMATCH) return std::nullopt;
  check(result >= 0, "a tokenizer's pattern can be matched");
  const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(compiled_->match);
  return TextRange{ends[0], ends[1] - ends[0]};
}

}  // namespace loadline
