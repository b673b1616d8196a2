#pragma once
// Regular expressions over UTF-8, as tokenizers use them, by PCRE2.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace loadline {

/// A part of a text, in bytes.
struct TextRange {
  std::size_t first = 0, size = 0;
  friend bool operator==(const TextRange&, const TextRange&) = default;
};

/// One thread at a time.
class Regex {
 public:
  /// `pattern` as Oniguruma reads it (the file format's own dialect; tokens/regex_dialect.h). Throws Unsupported where
  /// it means something that cannot be said in PCRE2.
  explicit Regex(const std::string& pattern);
  /// Finds `text` itself; never matches where it is empty.
  static Regex literal(const std::string& text);

  /// The first match at or after `from`, which may be empty. `text` is valid UTF-8.
  std::optional<TextRange> find(std::string_view text, std::size_t from) const;

 private:
  struct Compiled;
  struct Free {
    void operator()(Compiled* compiled) const;
  };
  Regex() = default;
  void compile(const std::string& pattern, std::uint32_t options);
  std::unique_ptr<Compiled, Free> compiled_;
};

}  // namespace loadline
