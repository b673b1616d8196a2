#pragma once
// Tokenizer files hold patterns in the dialect of Oniguruma's Ruby syntax. They look like Perl's, and most are, but for
// the differences handled here.

#include <string>
#include <string_view>

namespace loadline {

/// `pattern` for PCRE2 with UTF, UCP and MULTILINE: \s, \w and \h are Oniguruma's, scripts (\p{Han}) are meant without
/// their extensions, and `{1,3}+` repeats a repetition, where Perl would make it possessive. Throws Unsupported for
/// what has no such translation.
std::string pcre2_pattern(std::string_view pattern);

}  // namespace loadline
