#pragma once
// Names that tell nothing but who is who: the only strings of a log that a canonical trace may hold.

#include <string_view>

#include "core/trace.h"

namespace loadline {

/// At most 128 letters, digits and the characters of file names (. _ - : / @ + = #); not empty.
bool is_opaque_name(std::string_view text);
/// Opaque names, each separated from the next by a comma and a blank: the files of one log.
bool is_list_of_opaque_names(std::string_view text);

/// Gives numbers to sessions and clients whose names are none ("s0", "c0", ..., of their place in the trace; none that
/// another one has), calls a source of other names "log" and forgets such a tokenizer. A remark says what was renamed.
void make_names_opaque(Trace& trace);

}  // namespace loadline
