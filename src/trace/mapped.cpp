#include "trace/mapped.h"

#include "core/error.h"

namespace loadline {

void read_mapped(TextWindow& window, TraceBuilder&, const FieldMap&) {
  throw Error(window.name() + ": --map is not ready");
}

}  // namespace loadline
