#pragma once
// Numbers as logs write them, read exactly: no rounding through a double, and a number that is too large
// is told apart from text that is no number.

#include <cstdint>
#include <string_view>

#include "core/units.h"

namespace loadline {

enum class NumberState : std::uint8_t { ok, malformed, out_of_range };

template <class T>
struct Parsed {
  T value{};
  NumberState state = NumberState::malformed;
  bool ok() const { return state == NumberState::ok; }
};

/// The longest prompt or completion a row may have, in tokens: more is a wrong number, not a request.
inline constexpr std::int64_t longest_length = std::int64_t{1} << 24;

/// A length in tokens: 0 to longest_length. A fraction of zeros ("12.0", as data frames write it) is allowed;
/// blanks around the number are too.
Parsed<Tokens> parse_length(std::string_view text);

/// A 64-bit block id. Negative ids keep their 64 bits: -1 is 0xffffffffffffffff.
Parsed<std::uint64_t> parse_id(std::string_view text);

/// A decimal number of `unit`, e.g. "412.5" milliseconds, to the nanosecond (further digits are cut).
/// `decimals` counts its fraction digits.
struct ParsedSpan : Parsed<Nanos> {
  int decimals = 0;
};
ParsedSpan parse_span(std::string_view text, Nanos unit);

/// `text` without blanks, tabs and carriage returns at both ends.
std::string_view trimmed(std::string_view text);

}  // namespace loadline
