#include "workload/length_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace loadline {
namespace {

constexpr double largest_factor = 1000;

void require_limit(const std::optional<Tokens>& limit, const char* of) {
  if (limit && limit->value() < 1) {
    throw Error(
        fmt::format("The longest {} allowed is {} tokens: give a whole number of at least 1.", of, limit->value()));
  }
}

Tokens cut_to(const std::optional<Tokens>& limit, Tokens length, std::uint64_t& cuts) {
  if (!limit || length <= *limit) return length;
  ++cuts;
  return *limit;
}

}  // namespace

LengthRule::LengthRule(double factor, std::optional<Tokens> max_prompt, std::optional<Tokens> max_completion)
    : factor_(factor), max_prompt_(max_prompt), max_completion_(max_completion) {
  if (!(factor > 0) || !(factor <= largest_factor)) {
    throw Error(
        fmt::format("Lengths cannot be scaled by {}: give a factor above 0 and up to {}.", factor, largest_factor));
  }
  require_limit(max_prompt, "prompt");
  require_limit(max_completion, "completion");
}

Tokens LengthRule::scaled(Tokens logged) const {
  if (logged.value() == 0) return logged;
  const double length = static_cast<double>(logged.value()) * factor_;
  return Tokens(std::max<std::int64_t>(1, std::llround(length)));
}

Tokens LengthRule::prompt(Tokens logged) { return cut_to(max_prompt_, scaled(logged), cut_prompts_); }

Tokens LengthRule::completion(Tokens logged) { return cut_to(max_completion_, scaled(logged), cut_completions_); }

}  // namespace loadline
