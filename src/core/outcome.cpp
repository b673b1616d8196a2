#include "core/outcome.h"

#include <array>

namespace loadline {
namespace {
constexpr std::array<std::string_view, outcome_count> outcome_names = {"ok",
                                                                       "short",
                                                                       "empty",
                                                                       "stream_error",
                                                                       "http_4xx",
                                                                       "http_5xx",
                                                                       "rejected",
                                                                       "connect_failed",
                                                                       "connection_cut",
                                                                       "no_finish",
                                                                       "no_first_byte",
                                                                       "idle_timeout",
                                                                       "total_timeout",
                                                                       "protocol_error",
                                                                       "censored",
                                                                       "unsent"};
}  // namespace

std::string_view name(Outcome outcome) { return outcome_names.at(static_cast<std::size_t>(outcome)); }

std::optional<Outcome> outcome_named(std::string_view wanted) {
  for (std::size_t i = 0; i < outcome_names.size(); ++i) {
    if (outcome_names[i] == wanted) return static_cast<Outcome>(i);
  }
  return std::nullopt;
}

}  // namespace loadline
