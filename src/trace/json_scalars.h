#pragma once
// Numbers of a JSON log that a row may lack, or that its writer put in quotes. A reader calls these on a value and gets
// the reason of a refusal, empty where there is none; null leaves the number absent.

#include <simdjson.h>

#include <optional>
#include <string_view>

#include "trace/numbers.h"
#include "trace/refusal.h"

namespace loadline {

/// The number as it is written, also of one in quotes ("1843"); empty for null.
std::string_view number_token(simdjson::ondemand::value value);

/// A name or number as a name; empty for null, and for an object or array, which is no name. Valid until the parser's
/// next object.
simdjson::simdjson_result<std::string_view> name_token(simdjson::ondemand::value value);

std::string_view take_length(simdjson::ondemand::value value, std::optional<Tokens>& length);
/// A decimal number of `unit`. What is no number is a bad timestamp, or malformed where `wrong` says so.
std::string_view take_span(simdjson::ondemand::value value, Nanos unit, std::optional<Nanos>& span,
                           std::string_view wrong = refusal::bad_timestamp);

/// The refusal for a number that is not ok; empty for one that is.
std::string_view refusal_of(NumberState state);

}  // namespace loadline
