#pragma once
// Logs in Parquet, a request a row (parquet_bytes.h makes lines of them): Baseten's, with timestamp_start_unix_ms,
// input_tokens, output_tokens, total_hashes, block_size and provided_session_id or else poor_man_session_id; and
// general ones with prompt_tokens, completion_tokens and, where they are known, timestamp, cached_tokens, session_id
// and hash_ids. Other columns are for --map.

#include "trace/format.h"

namespace loadline {

bool is_baseten(const LogHead& head);
bool is_parquet_generic(const LogHead& head);
/// Of either. Block ids count only where all prompts of the first megabyte agree with one block size; later rows must
/// agree with it too.
void read_parquet_requests(TextWindow& window, TraceBuilder& builder);

}  // namespace loadline
