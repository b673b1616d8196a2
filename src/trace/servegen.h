#pragma once
// Tables that are about requests but hold none: they are refused by name, with what to use instead.

#include "trace/format.h"

namespace loadline {

/// ServeGen's rates by window, CSV without a header: start, requests/s, CV, law, its parameters.
bool is_servegen_rates(const LogHead& head);
/// ServeGen's distributions of lengths by time slot: Python text inside JSON.
bool is_servegen_lengths(const LogHead& head);
/// Quantiles of public traces.
bool is_quantile_tables(const LogHead& head);

}  // namespace loadline
