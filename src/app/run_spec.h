#pragma once
// Everything a run can be told, as the user wrote it: the rows below are the command line, the plan
// file and the reference at once.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/option_row.h"

namespace loadline {

struct RunSpec {
  // target
  std::vector<std::string> url;
  std::string model, endpoint_type = "auto", engine, api_key, extra_body, ca_file, client_cert, client_key;
  std::vector<std::string> header, fact, source_address;
  bool insecure = false, no_stream = false, http2 = false;
  std::string tokenizer;
  std::string balance = "round-robin";
  std::uint64_t retries = 0;
  // embedded engine
  double engine_speed = 1;
  std::vector<std::string> engine_parameter;
  // prediction
  std::string calibrate_from;
  std::optional<double> cache_rate;
  // input
  std::vector<std::string> trace;
  std::string trace_format, map, sampler, over_limit, content = "synthetic";
  std::optional<double> tokens_per_char;
  double scale_lengths = 1;
  std::optional<std::uint64_t> max_prompt_tokens;
  bool workload_mean = false, workload_repeat = false;
  std::string cache = "cold";
  std::optional<std::uint64_t> warm_requests;
  std::uint64_t seed = 1;
  std::string salt;
  // load
  std::string concurrency, max_concurrency, request_rate, arrivals, arrival_scale;
  double burstiness = 1;
  bool think_times = false;
  std::string ramp;
  std::optional<std::uint64_t> client_threads;
  std::uint64_t max_users = 1024;
  std::optional<std::uint64_t> warmup_requests, num_prompts, max_requests;
  std::string duration, max_duration, until;
  bool search = false, no_refine = false, open = false, up_and_down = false, until_stable = false;
  std::string refine, budget, capacity_precision;
  std::uint64_t repeats = 1;
  std::string first_byte_timeout = "300s", idle_timeout = "120s", total_timeout = "900s", connect_timeout = "10s";
  // decision
  std::string decision = "capacity";
  std::vector<std::string> slo, goodput;
  std::optional<double> price_per_hour;
  // bound
  std::string hardware, model_config, weights, kv;
  // output
  std::string output_dir, ui;
  bool quiet = false, check = false, json = false;
};

/// --max-concurrency caps an open loop, and without one is another name of --concurrency: then it is moved there. Error
/// where both are given.
void settle_max_concurrency(RunSpec& spec);

/// In the order of --help. A plan file key is the first name without dashes, "-" as "_".
const std::vector<OptionRow<RunSpec>>& run_option_rows();

}  // namespace loadline
