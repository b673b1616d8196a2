// Logs of what stands before the engines: gateways, proxies, tracing services.
#include <vector>

#include "trace/format.h"

namespace loadline {

std::span<const TraceFormat> formats_of_gateways() {
  static const std::vector<TraceFormat> formats{};
  return formats;
}

}  // namespace loadline
