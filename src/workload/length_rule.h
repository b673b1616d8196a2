#pragma once
// What `--scale-lengths`, `--max-prompt-tokens` and their like do to the lengths of a source.

#include <cstdint>
#include <optional>

#include "core/units.h"

namespace loadline {

/// First scaled: round(length * factor), at least 1. Then cut to the limit. A length of 0 is unknown and stays 0.
/// Throws Error for a factor that is not a positive number of at most 1000 and for a limit below 1.
class LengthRule {
 public:
  LengthRule(double factor, std::optional<Tokens> max_prompt, std::optional<Tokens> max_completion);

  double factor() const { return factor_; }
  Tokens prompt(Tokens logged);
  Tokens completion(Tokens logged);
  /// True where a prompt of `logged` tokens would be cut.
  bool is_over(Tokens logged) const { return max_prompt_ && scaled(logged) > *max_prompt_; }
  /// How many lengths were cut so far.
  std::uint64_t cut_prompts() const { return cut_prompts_; }
  std::uint64_t cut_completions() const { return cut_completions_; }

 private:
  Tokens scaled(Tokens logged) const;

  double factor_;
  std::optional<Tokens> max_prompt_, max_completion_;
  std::uint64_t cut_prompts_ = 0, cut_completions_ = 0;
};

}  // namespace loadline
