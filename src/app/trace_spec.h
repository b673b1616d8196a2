#pragma once
// What the commands on logs can be told: `loadline trace stats|convert|sample|anonymize|check|merge`.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/option_row.h"
#include "trace/read_options.h"

namespace loadline {

struct TraceSpec {
  std::vector<std::string> files;
  // how the log is read
  std::string format, map;
  std::optional<double> tokens_per_char;
  // what is shown of it
  bool json = false, html = false;
  std::string memory = "1GiB", part, model_config, kv;
  // where a trace goes
  std::string to = "canonical", output;
  bool same_ids = false, one_log = false;
  // what is drawn
  std::uint64_t requests = 1000, seed = 1;
  std::string sampler, over_limit;
  std::optional<std::uint64_t> max_prompt_tokens;
};

/// Rows of each command, in the order of --help.
const std::vector<OptionRow<TraceSpec>>& trace_stats_rows();
const std::vector<OptionRow<TraceSpec>>& trace_convert_rows();
const std::vector<OptionRow<TraceSpec>>& trace_sample_rows();
const std::vector<OptionRow<TraceSpec>>& trace_anonymize_rows();
const std::vector<OptionRow<TraceSpec>>& trace_check_rows();
const std::vector<OptionRow<TraceSpec>>& trace_merge_rows();

/// What the user said of the log, checked. Messages name --trace-format, which every command that reads a log has.
ReadOptions read_options(const std::string& format, const std::string& map, std::optional<double> tokens_per_char);
ReadOptions read_options(const TraceSpec& spec);

/// Bytes of "512MiB", "1GiB", "2e9"; Error naming `flag`.
std::uint64_t parse_bytes(const std::string& text, std::string_view flag);

}  // namespace loadline
