#include "tokens/normalizer.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "core/error.h"
#include "tokens/utf8.h"

namespace loadline {
namespace {

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

utf8proc_option_t options_of(UnicodeForm form) {
  const auto with = [](int options) { return static_cast<utf8proc_option_t>(UTF8PROC_STABLE | options); };
  switch (form) {
    case UnicodeForm::nfc:
      return with(UTF8PROC_COMPOSE);
    case UnicodeForm::nfd:
      return with(UTF8PROC_DECOMPOSE);
    case UnicodeForm::nfkc:
      return with(UTF8PROC_COMPOSE | UTF8PROC_COMPAT);
    case UnicodeForm::nfkd:
      break;
  }
  return with(UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT);
}

std::string in_form(std::string text, UnicodeForm form) {
  if (is_ascii(text)) return text;
  utf8proc_uint8_t* made = nullptr;
  const utf8proc_ssize_t size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                             static_cast<utf8proc_ssize_t>(text.size()), &made, options_of(form));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(made, &std::free);
  check(size >= 0, "valid text has a normal form");
  return {reinterpret_cast<const char*>(made), static_cast<std::size_t>(size)};
}

std::string with_replaced(const std::string& text, const ReplaceMatches& step) {
  std::string out;
  std::size_t copied = 0, from = 0;
  while (from <= text.size()) {
    const std::optional<TextRange> match = step.pattern.find(text, from);
    if (!match) break;
    out.append(text, copied, match->first - copied);
    out += step.content;
    copied = from = match->first + match->size;
    if (match->size == 0) from += from < text.size() ? character_size(text[from]) : 1;
  }
  return out.append(text, copied);
}

}  // namespace

std::string Normalizer::normalize(std::string text) const {
  for (const NormalizerStep& step : steps_) {
    if (const auto* form = std::get_if<UnicodeForm>(&step))
      text = in_form(std::move(text), *form);
    else if (const auto* replace = std::get_if<ReplaceMatches>(&step))
      text = with_replaced(text, *replace);
    else if (!text.empty())
      text.insert(0, std::get<PrependText>(step).text);
  }
  return text;
}

}  // namespace loadline
