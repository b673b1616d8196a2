#pragma once
// JSON or CSV of nobody's format whose fields have the names that everybody uses: prompt_tokens and completion_tokens,
// input_tokens and output_tokens, ..., with a time or without. Last in the table of formats, and only where nothing
// needs to be guessed: a time is ISO text, or a number that can only be seconds, ms, us or ns after 1970. Whatever else
// is read with --map.

#include "trace/format.h"

namespace loadline {

bool is_generic(const LogHead& head);
/// Throws Error, with the --map to give, where two fields may be the time, or it is a number without a unit.
void read_generic(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
