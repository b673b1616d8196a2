// Logs that inference engines write.
#include <vector>

#include "trace/format.h"

namespace loadline {

std::span<const TraceFormat> formats_of_engines() {
  static const std::vector<TraceFormat> formats{};
  return formats;
}

}  // namespace loadline
