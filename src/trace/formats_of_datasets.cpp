// Published traces and data sets, and the inputs of other tools.
#include <vector>

#include "trace/aiperf_mooncake.h"
#include "trace/azure.h"
#include "trace/burstgpt.h"
#include "trace/format.h"
#include "trace/lmcache.h"
#include "trace/mooncake.h"
#include "trace/parquet_requests.h"
#include "trace/prompt_lists.h"
#include "trace/qwen_bailian.h"
#include "trace/servegen.h"
#include "trace/sharegpt.h"
#include "trace/vidur.h"
#include "trace/weka.h"

namespace loadline {
namespace {

constexpr std::string_view instead_of_tables =
    "it is no log of requests and does not tell which prompt length goes with which completion length; name a log, or "
    "run a built-in workload such as builtin:reason-servegen-r1";

}  // namespace

std::span<const TraceFormat> formats_of_datasets() {
  static const std::vector<TraceFormat> formats{
      {"mooncake", "JSON lines with timestamp, input_length, output_length, hash_ids", is_mooncake, read_mooncake,
       FileScope::alone},
      {"aiperf-mooncake",
       "JSON lines as Mooncake's with session_id and delay, text instead of ids, or lengths alone",
       is_aiperf_mooncake,
       read_aiperf_mooncake,
       FileScope::alone,
       {},
       RowScope::after_others},
      {"azure", "CSV with TIMESTAMP, ContextTokens, GeneratedTokens (2023 and 2024)", is_azure, read_azure},
      {"qwen-bailian",
       "JSON lines with chat_id, parent_chat_id, timestamp, input_length, output_length, hash_ids",
       is_qwen_bailian,
       read_qwen_bailian,
       FileScope::alone,
       {},
       RowScope::after_others},
      {"burstgpt", "CSV with Timestamp, Request tokens, Response tokens (the first to the third release)", is_burstgpt,
       read_burstgpt, FileScope::alone},
      {"vidur", "CSV with num_prefill_tokens, num_decode_tokens, and arrived_at where it has times", is_vidur,
       read_vidur, FileScope::alone},
      {"weka", "JSON sessions of coding agents, with requests, hash_ids and think_time", is_weka, read_weka},
      {"baseten", "Parquet with timestamp_start_unix_ms, input_tokens, output_tokens, total_hashes", is_baseten,
       read_parquet_requests},
      {"parquet-generic", "Parquet with prompt_tokens, completion_tokens, timestamp", is_parquet_generic,
       read_parquet_requests},
      {"lmcache", "JSON lines of agents with timestamp, input, output, session_id", is_lmcache, read_lmcache},
      {"sharegpt", "a JSON array of conversations, turns with from and value", is_sharegpt, read_sharegpt},
      {"messages", "a JSON list of chat messages a line", is_message_lists, read_message_lists},
      {"openqa", "JSON lines with question", is_openqa, read_openqa},
      {"genai-bench", "CSV with a column prompt", is_prompt_table, read_prompt_table},
      {"genai-bench-text", "text, a prompt a line (only where --trace-format names it)", is_prompt_text,
       read_prompt_text},
      {"servegen-rates", "a ServeGen table of rates by window of time", is_servegen_rates, nullptr, FileScope::parts,
       instead_of_tables},
      {"servegen-lengths", "a ServeGen table of lengths by slot of time", is_servegen_lengths, nullptr,
       FileScope::parts, instead_of_tables},
      {"quantiles", "a table of quantiles of traces", is_quantile_tables, nullptr, FileScope::parts, instead_of_tables},
  };
  return formats;
}

}  // namespace loadline
