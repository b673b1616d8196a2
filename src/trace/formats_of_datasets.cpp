// Published traces and data sets, and the inputs of other tools.
#include <vector>

#include "trace/aiperf_mooncake.h"
#include "trace/azure.h"
#include "trace/burstgpt.h"
#include "trace/format.h"
#include "trace/mooncake.h"
#include "trace/qwen_bailian.h"
#include "trace/vidur.h"
#include "trace/weka.h"

namespace loadline {

std::span<const TraceFormat> formats_of_datasets() {
  static const std::vector<TraceFormat> formats{
      {"mooncake", "JSON lines with timestamp, input_length, output_length, hash_ids", is_mooncake, read_mooncake,
       FileScope::alone},
      {"aiperf-mooncake", "JSON lines as Mooncake's with session_id and delay, text instead of ids, or lengths alone",
       is_aiperf_mooncake, read_aiperf_mooncake, FileScope::alone},
      {"azure", "CSV with TIMESTAMP, ContextTokens, GeneratedTokens (2023 and 2024)", is_azure, read_azure},
      {"qwen-bailian", "JSON lines with chat_id, parent_chat_id, timestamp, input_length, output_length, hash_ids",
       is_qwen_bailian, read_qwen_bailian, FileScope::alone},
      {"burstgpt", "CSV with Timestamp, Request tokens, Response tokens (the first to the third release)", is_burstgpt,
       read_burstgpt, FileScope::alone},
      {"vidur", "CSV with num_prefill_tokens, num_decode_tokens, and arrived_at where it has times", is_vidur,
       read_vidur, FileScope::alone},
      {"weka", "JSON sessions of coding agents, with requests, hash_ids and think_time", is_weka, read_weka},
  };
  return formats;
}

}  // namespace loadline
