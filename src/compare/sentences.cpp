#include "compare/sentences.h"

#include <fmt/format.h>

namespace loadline {
namespace {

std::string ratio_words(const Ratio& ratio) {
  if (!ratio.b_over_a) return fmt::format("there is no ratio of the {}: {}", metric_words(ratio), ratio.absence);
  std::string text = fmt::format("B's {} is {:.3f} times A's", metric_words(ratio), ratio.b_over_a->value);
  if (ratio.b_over_a->low && ratio.b_over_a->high)
    text += fmt::format(" [{:.3f}, {:.3f}]", *ratio.b_over_a->low, *ratio.b_over_a->high);
  return text + fmt::format(" ({})", interval_words(ratio));
}

std::string variable_words(const ManifestDifference& manifest) {
  if (manifest.comparability == Comparability::repeat) return "Nothing in the manifests differs: it is a repeat.";
  for (const FactDifference& fact : manifest.differing) {
    if (fact.key != manifest.variable) continue;
    return fmt::format("The variable is {}: '{}' on A, '{}' on B.", fact.key, fact.a.value_or("absent"),
                       fact.b.value_or("absent"));
  }
  return "";
}

std::string verdict_words(const Comparison& comparison) {
  switch (comparison.verdict) {
    case ComparisonVerdict::faster:
      return "B is faster than A";
    case ComparisonVerdict::slower:
      return "B is slower than A";
    case ComparisonVerdict::equivalent:
      return "A and B are equivalent within 3%";
    case ComparisonVerdict::undecided:
      break;
  }
  return "Undecided";
}

}  // namespace

std::string metric_words(const Ratio& ratio) {
  std::string text(words(ratio.metric));
  const bool is_capacity = ratio.metric == RatioMetric::capacity_closed || ratio.metric == RatioMetric::capacity_open;
  if (!is_capacity && !ratio.level) text += " over all loads";
  return text;
}

std::string comparison_sentence(const Comparison& comparison) {
  const std::string reasons = fmt::format("{}", fmt::join(comparison.manifest.reasons, " "));
  if (comparison.ratios.empty()) return "Refused, this would be no comparison. " + reasons;
  const Ratio& first = comparison.ratios.front();
  if (comparison.forced) {
    return fmt::format("NOT A COMPARISON: these numbers cannot say what made the difference. {} As measured, {}.",
                       reasons, ratio_words(first));
  }
  std::string text = comparison.valid ? "" : "NOT VALID, a doubt of one of the runs stands against it. ";
  text += fmt::format("{}: {}.", verdict_words(comparison), ratio_words(first));
  if (comparison.verdict == ComparisonVerdict::undecided && first.b_over_a && first.b_over_a->high) {
    text += comparison.more_pairs ? fmt::format(" About {} more {} of passes would decide it.", *comparison.more_pairs,
                                                *comparison.more_pairs == 1 ? "pair" : "pairs")
                                  : " More than 10,000 pairs of passes would be needed to decide it.";
  }
  return text + " " + variable_words(comparison.manifest);
}

}  // namespace loadline
