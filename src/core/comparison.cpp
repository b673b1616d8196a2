#include "core/comparison.h"

#include <fmt/format.h>

#include <array>

namespace loadline {

std::string_view name(Comparability comparability) {
  constexpr std::array<std::string_view, 3> names = {"repeat", "comparison", "refused"};
  return names.at(static_cast<std::size_t>(comparability));
}

std::string_view name(ComparisonVerdict verdict) {
  constexpr std::array<std::string_view, 4> names = {"faster", "slower", "equivalent", "undecided"};
  return names.at(static_cast<std::size_t>(verdict));
}

std::string_view name(RatioMetric metric) {
  constexpr std::array<std::string_view, 7> names = {"capacity_closed", "capacity_open", "request_rate", "ttft_p50",
                                                     "ttft_p99",        "tpot_p50",      "tpot_p99"};
  return names.at(static_cast<std::size_t>(metric));
}

std::string_view words(RatioMetric metric) {
  constexpr std::array<std::string_view, 7> words = {"capacity of users who wait",
                                                     "capacity of Poisson arrivals",
                                                     "request rate",
                                                     "p50 TTFT",
                                                     "p99 TTFT",
                                                     "p50 TPOT",
                                                     "p99 TPOT"};
  return words.at(static_cast<std::size_t>(metric));
}

std::string interval_words(const Ratio& ratio) {
  switch (ratio.method) {
    case RatioMethod::student_pairs:
      return fmt::format("95%, Student over {} pairs of passes", ratio.n);
    case RatioMethod::paired_batches:
      return fmt::format("95%, bootstrap over {} paired batches", ratio.n);
    case RatioMethod::none:
      break;
  }
  return ratio.absence;
}

bool more_is_faster(RatioMetric metric) {
  return metric == RatioMetric::capacity_closed || metric == RatioMetric::capacity_open ||
         metric == RatioMetric::request_rate;
}

std::string_view name(RatioMethod method) {
  constexpr std::array<std::string_view, 3> names = {"none", "student_pairs", "paired_batches"};
  return names.at(static_cast<std::size_t>(method));
}

std::string_view name(GateOutcome outcome) {
  constexpr std::array<std::string_view, 3> names = {"passed", "failed", "undecided"};
  return names.at(static_cast<std::size_t>(outcome));
}

}  // namespace loadline
