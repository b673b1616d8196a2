#include "compare/gate.h"

#include <fmt/format.h>

#include "compare/sentences.h"

namespace loadline {
namespace {

/// Of latencies 1 / ratio: then less than 1 is slower for every metric.
Estimate speed_of(const Ratio& ratio) {
  const Estimate& r = *ratio.b_over_a;
  if (more_is_faster(ratio.metric)) return r;
  return {1 / r.value, 1 / *r.high, 1 / *r.low};
}

}  // namespace

Gate gate_of(const Comparison& comparison, double slower_than, bool strict) {
  Gate gate;
  gate.slower_than = slower_than;
  gate.strict = strict;
  if (!comparison.valid) {
    gate.outcome = GateOutcome::failed;
    gate.sentence = fmt::format("Failed: the measurement is not valid. {}",
                                comparison.doubts.empty() ? "" : comparison.doubts.front().text);
    return gate;
  }
  const Ratio& first = comparison.ratios.front();
  const double least = 1 - slower_than;
  const std::string allowed = fmt::format("{:g}% slower is allowed", slower_than * 100);
  if (!first.b_over_a || !first.b_over_a->low || !first.b_over_a->high) {
    gate.sentence = fmt::format("Undecided, and {}: the {} has no interval ({}).",
                                strict ? "failed (--strict)" : "passed", metric_words(first), first.absence);
    gate.pass = !strict;
    return gate;
  }
  const Estimate speed = speed_of(first);
  if (*speed.high < least) {
    gate.outcome = GateOutcome::failed;
  } else if (*speed.low >= least) {
    gate.outcome = GateOutcome::passed;
  }
  gate.pass = gate.outcome == GateOutcome::passed || (gate.outcome == GateOutcome::undecided && !strict);
  const std::string measured =
      fmt::format("by the {} the run's speed is {:.3f} of the baseline's [{:.3f}, {:.3f}] ({})", metric_words(first),
                  speed.value, *speed.low, *speed.high, interval_words(first));
  switch (gate.outcome) {
    case GateOutcome::failed:
      gate.sentence = fmt::format("Failed: {}, all of it below {:g} ({}).", measured, least, allowed);
      break;
    case GateOutcome::passed:
      gate.sentence = fmt::format("Passed: {}, none of it below {:g} ({}).", measured, least, allowed);
      break;
    case GateOutcome::undecided:
      gate.sentence = fmt::format(
          "Undecided, and {}: {}, which holds {:g} ({}); more pairs of passes (--repeats) "
          "narrow it.",
          strict ? "failed (--strict)" : "passed", measured, least, allowed);
  }
  return gate;
}

}  // namespace loadline
