#pragma once
// How a request ended. The target misbehaving is a measurement, not an error of the program.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace loadline {

enum class Outcome : std::uint8_t {
  ok,            ///< ended well
  short_answer,  ///< named "short": fewer tokens than were forced; a success
  empty,         ///< ended well without one output token
  stream_error,  ///< an error inside a 200 stream
  http_4xx,
  http_5xx,
  rejected,  ///< 429, 503
  connect_failed,
  connection_cut,  ///< the transport was cut in mid-answer
  no_finish,       ///< clean end of stream without finish_reason or [DONE]
  no_first_byte,   ///< timeout before the first byte
  idle_timeout,    ///< timeout between two bytes
  total_timeout,
  protocol_error,  ///< bytes that are not HTTP or SSE
  censored,        ///< our own cancellation when the level was over; nobody's failure
  unsent,          ///< due, never sent
};
inline constexpr std::size_t outcome_count = 16;

/// The name used in run.sqlite and every report: "ok", "short", "http_4xx", ...
std::string_view name(Outcome outcome);
std::optional<Outcome> outcome_named(std::string_view name);

inline bool succeeded(Outcome o) { return o == Outcome::ok || o == Outcome::short_answer; }
/// Counts as infinitely slow. Censored and unsent are neither success nor failure.
inline bool failed(Outcome o) { return !succeeded(o) && o != Outcome::censored && o != Outcome::unsent; }

}  // namespace loadline
