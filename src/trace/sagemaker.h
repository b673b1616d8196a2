#pragma once
// Data capture of a SageMaker endpoint: JSON lines whose `data` holds request and response as JSON in a text, in
// base64, or, of a streamed response, as server-sent events.

#include "trace/format.h"

namespace loadline {

bool is_sagemaker(const LogHead& head);
void read_sagemaker(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
