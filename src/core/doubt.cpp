#include "core/doubt.h"

#include <algorithm>
#include <array>

#include "core/error.h"

namespace loadline {
namespace {

constexpr std::array<std::string_view, 6> invalidating = {
    "client_limited", "load_not_delivered", "server_changed", "clock_jumped", "books", "failures"};
constexpr std::array<std::string_view, 28> remarking = {"few_levels",
                                                        "not_bracketed",
                                                        "not_stabilised",
                                                        "not_monotone",
                                                        "cache_off_target",
                                                        "cache_unmeasurable",
                                                        "lengths_not_as_drawn",
                                                        "lengths_scaled",
                                                        "sample_off_log",
                                                        "prompts_cut",
                                                        "few_unique_prompts",
                                                        "content_synthetic",
                                                        "coalesced",
                                                        "drift",
                                                        "hysteresis",
                                                        "little",
                                                        "trace_assumed",
                                                        "tokens_estimated",
                                                        "compute_unknown",
                                                        "engine_simulated",
                                                        "facts_unknown",
                                                        "client_unproven",
                                                        "in_flight_capped",
                                                        "server_busy",
                                                        "class_empty",
                                                        "mean_lengths",
                                                        "predicted",
                                                        "poor_fit"};

}  // namespace

Doubt make_doubt(std::string_view id, std::optional<std::uint32_t> level, std::string text) {
  const bool invalidates = std::ranges::find(invalidating, id) != invalidating.end();
  check(invalidates || std::ranges::find(remarking, id) != remarking.end(), "a doubt's id is a known one");
  return Doubt{std::string(id), level, invalidates, std::move(text)};
}

}  // namespace loadline
