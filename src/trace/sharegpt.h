#pragma once
// ShareGPT's conversations: an array of objects with `id` and `conversations`, turns `from` somebody with a text as
// `value`. Each answer of the model is a request: its prompt is all that was said before, its completion the answer.
// Texts only: lengths are characters until somebody counts or estimates their tokens.

#include "trace/format.h"

namespace loadline {

bool is_sharegpt(const LogHead& head);
void read_sharegpt(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
