// Published traces and data sets, and the inputs of other tools.
#include <vector>

#include "trace/aiperf_mooncake.h"
#include "trace/azure.h"
#include "trace/format.h"
#include "trace/mooncake.h"

namespace loadline {

std::span<const TraceFormat> formats_of_datasets() {
  static const std::vector<TraceFormat> formats{
      {"mooncake", "JSON lines with timestamp, input_length, output_length, hash_ids", is_mooncake, read_mooncake,
       FileScope::alone},
      {"aiperf-mooncake", "JSON lines as Mooncake's with session_id and delay, text instead of ids, or lengths alone",
       is_aiperf_mooncake, read_aiperf_mooncake, FileScope::alone},
      {"azure", "CSV with TIMESTAMP, ContextTokens, GeneratedTokens (2023 and 2024)", is_azure, read_azure},
  };
  return formats;
}

}  // namespace loadline
